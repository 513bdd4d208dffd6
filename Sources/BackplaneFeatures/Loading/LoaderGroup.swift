/// A summary of the loaders and lists of a screen with several sections.
///
/// A group blocks nothing: each section loads, fails and is retried on its own, and shows the value
/// that it has.
///
/// ```swift
/// let sections = LoaderGroup(page.tutor, page.todos, lists: page.messages)
/// if sections.anyFailed { sections.retry() }
/// ```
///
/// A group belongs to the actor of its loaders. Its properties are observable, like the states of
/// the loaders.
public struct LoaderGroup {
    private let members: [any LoaderGroupMember]

    /// Creates a group of loaders and lists of any types.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of single values.
    ///   - lists: the lists, whose next pages count, too.
    public init<each ID: Hashable, each Value, each Cursor, each Item: Identifiable>(
        _ loaders: repeat Loader<each ID, each Value>,
        lists: repeat PagedLoader<each Cursor, each Item>
    ) {
        var members: [any LoaderGroupMember] = []
        for loader in repeat each loaders { members.append(loader) }
        for list in repeat each lists { members.append(list) }
        self.members = members
    }

    /// Whether every section has loaded, and no section has failed or is loading again.
    public var allLoaded: Bool { members.allSatisfy { $0.isLoaded } }

    /// Whether the last load of at least one section failed.
    public var anyFailed: Bool { members.contains { $0.hasFailed } }

    /// Whether at least one section is loading.
    public var anyLoading: Bool { members.contains { $0.isLoading } }

    /// Loads the sections again whose last load failed.
    public func retry() {
        for member in members { member.retry() }
    }

    /// Suspends until no section is loading, as ``Loader/settled()`` does for one loader.
    public func settled() async {
        for member in members { await member.settled() }
    }
}

/// A loader without its types.
protocol LoaderGroupMember {
    associatedtype Shown
    var state: LoadState<Shown> { get }
    func retry()
    func settled() async
}

extension LoaderGroupMember {
    fileprivate var isLoading: Bool { state.isLoading }
    fileprivate var hasFailed: Bool { state.error != nil }
    fileprivate var isLoaded: Bool {
        switch state {
        case .loaded, .deleted: true
        case .idle, .loading, .failed: false
        }
    }
}

extension Loader: LoaderGroupMember {}

extension PagedLoader: LoaderGroupMember {}
