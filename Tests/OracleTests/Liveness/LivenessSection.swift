import BackplaneFeatures
import BackplaneTesting

/// A loader or a list on a screen, as the user sees and uses it.
///
/// All calls of the trace go through a section, so a fault can be planted here.
final class LivenessSection {
    enum Member {
        case loader(Loader<String, Message>)
        case list(PagedLoader<Int, Message>)
    }

    enum Phase { case idle, loading, loaded, deleted, failed }

    /// The visible part of a section at one moment.
    struct Look {
        var phase = Phase.idle
        /// The failed request, if a load failed.
        var error: Int?
        var value: Message?
        var items: [Message] = []
        var ids: [String] = []
        var hasMore = false
        var isPaging = false
    }

    let member: Member
    let store: Int
    /// The store or the list, as its requests name it; `nil` if the loads are shared.
    let source: Int?
    /// The running load of another window that was there at a refresh.
    var lastJoinedLoad = 0
    private let fault: PlantedFault?
    private var lastError: Int?
    private var firstValue: Message?

    init(_ member: Member, store: Int, source: Int?, fault: PlantedFault?) {
        self.member = member
        self.store = store
        self.source = source
        self.fault = fault
    }

    var isList: Bool { if case .list = member { true } else { false } }
    var id: String? { if case .loader(let loader) = member { loader.id } else { nil } }

    // MARK: Looks

    var look: Look {
        var look = Look()
        switch member {
        case .loader(let loader):
            look.read(loader.state)
            look.value = loader.value
        case .list(let list):
            look.read(list.state)
            look.items = list.items
            look.ids = list.ids
            look.hasMore = list.hasMore
            look.isPaging = list.isPaging
        }
        if let fault { look.spoil(by: fault, &lastError, &firstValue, pending) }
        return look
    }

    /// The pending mutations of the loader, or of the items of the list.
    var pending: [PendingMutation] {
        switch member {
        case .loader(let loader): filtered(loader.pending)
        case .list(let list): list.ids.flatMap { pending(of: $0) }
        }
    }

    func pending(of id: String) -> [PendingMutation] {
        switch member {
        case .loader(let loader): filtered(loader.pending)
        case .list(let list): filtered(list.pending(of: id))
        }
    }

    private func filtered(_ pending: [PendingMutation]) -> [PendingMutation] {
        fault == .hidesFailure ? pending.filter { $0.status != .failed } : pending
    }

    // MARK: Actions

    func load(_ id: String, isolation: isolated any Actor = #isolation) {
        if fault == .renewsAge, self.id == id || isList, look.phase == .loaded { return }
        switch member {
        case .loader(let loader): loader.load(id)
        case .list(let list): list.load()
        }
    }

    func reload() {
        if fault == .ignoresReload { return }
        switch member {
        case .loader(let loader): loader.reload()
        case .list(let list): list.reload()
        }
    }

    func retry() {
        if fault == .ignoresRetry { return }
        switch member {
        case .loader(let loader): loader.retry()
        case .list(let list): list.retry()
        }
    }

    func cancel() {
        if fault == .ignoresCancel { return }
        switch member {
        case .loader(let loader): loader.cancel()
        case .list(let list): list.cancel()
        }
    }

    func loadMore() {
        if fault == .ignoresLoadMore { return }
        if case .list(let list) = member { list.loadMore() }
    }

    func retryPending() {
        if fault == .ignoresRetryPending { return }
        switch member {
        case .loader(let loader): loader.retryPending()
        case .list(let list): list.retryPending()
        }
    }

    func dismiss(_ mutation: PendingMutation.ID, of id: String) {
        if fault == .ignoresDismissal { return }
        switch member {
        case .loader(let loader): loader.dismiss(mutation)
        case .list(let list): list.dismiss(mutation, of: id)
        }
    }

    func enqueue(_ mutation: Mutation<Message>, of id: String) throws {
        if fault == .ignoresChange { return }
        switch member {
        case .loader(let loader): try loader.enqueue(mutation)
        case .list(let list): try list.enqueue(mutation, of: id)
        }
    }

    func enqueue(_ change: MessageChange, of id: String, after dependencies: Set<IdempotencyKey>) throws {
        if fault == .ignoresChange { return }
        let label = String(change.number)
        switch member {
        case .loader(let loader): try loader.enqueue(change, label: label, after: dependencies)
        case .list(let list): try list.enqueue(change, of: id, label: label, after: dependencies)
        }
    }

    /// Returns when the section has settled.
    func settled() async {
        switch member {
        case .loader(let loader): await loader.settled()
        case .list(let list): await list.settled()
        }
    }
}

extension LivenessSection.Look {
    fileprivate mutating func read<Value>(_ state: LoadState<Value>) {
        switch state {
        case .idle: phase = .idle
        case .loading: phase = .loading
        case .loaded: phase = .loaded
        case .deleted: phase = .deleted
        case .failed(let error, _):
            phase = .failed
            self.error = (error as? Failure)?.request ?? (error as? FinalFailure)?.request ?? 0
        }
    }

    fileprivate mutating func spoil(
        by fault: PlantedFault,
        _ lastError: inout Int?,
        _ firstValue: inout Message?,
        _ pending: [PendingMutation]
    ) {
        switch fault {
        case .neverEndsLoading where phase == .failed: phase = .loading
        case .hidesItem where phase != .loading && items.count > 1:
            items.removeLast()
            ids.removeLast()
        case .showsItemTwice where ids.count > 1: ids.append(ids[0])
        case .hidesFirstValue where pending.contains { $0.status != .failed }: value = nil
        case .hidesLoadError where phase == .failed:
            phase = value == nil && ids.isEmpty ? .idle : .loaded
            error = nil
        case .keepsOldError where phase == .failed: lastError = error
        case .keepsOldError where phase == .loaded && lastError != nil:
            phase = .failed
            error = lastError
        case .keepsOldValue:
            if firstValue?.id != value?.id { firstValue = value }
            value = firstValue
        default: break
        }
    }
}
