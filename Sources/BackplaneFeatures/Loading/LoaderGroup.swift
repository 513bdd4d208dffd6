/// The loaders of a page's sections, and how they are doing as a whole.
///
/// A summary and no gate: each section loads, fails and is retried on its own, and shows what it has meanwhile.
///
/// ```swift
/// let sections = LoaderGroup(page.tutor, page.todos)
/// if sections.anyFailed { sections.retry() }
/// ```
///
/// It belongs to the actor of its loaders. What it says is observable, as their states are.
public struct LoaderGroup {
    private let members: [any LoaderGroupMember]

    /// A group of loaders of any types.
    public init<each ID: Hashable, each Value>(_ loaders: repeat Loader<each ID, each Value>) {
        var members: [any LoaderGroupMember] = []
        for loader in repeat each loaders { members.append(loader) }
        self.members = members
    }

    /// Whether every section has loaded, and none has failed or is loading again.
    public var allLoaded: Bool { members.allSatisfy { $0.progress == .loaded } }

    /// Whether the last load of a section has failed.
    public var anyFailed: Bool { members.contains { $0.progress == .failed } }

    /// Whether a section is loading.
    public var anyLoading: Bool { members.contains { $0.progress == .loading } }

    /// Loads those sections again whose last load has failed.
    public func retry() {
        for member in members { member.retry() }
    }

    /// Loads all sections again.
    public func reload() {
        for member in members { member.reload() }
    }

    /// Cancels what is loading.
    public func cancel() {
        for member in members { member.cancel() }
    }

    /// Suspends until every section has settled, as ``Loader/settled()`` has it.
    public func settled() async {
        for member in members { await member.settled() }
    }
}

/// How far a loader has got, whatever it loads.
enum LoadProgress {
    case idle
    case loading
    case loaded
    case failed
}

/// A loader whose types do not matter.
protocol LoaderGroupMember {
    var progress: LoadProgress { get }
    func retry()
    func reload()
    func cancel()
    func settled() async
}

extension Loader: LoaderGroupMember {
    var progress: LoadProgress {
        switch state {
        case .idle: .idle
        case .loading: .loading
        case .loaded: .loaded
        case .failed: .failed
        }
    }
}
