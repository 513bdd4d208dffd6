import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation

/// One of the two queues of a trace, with the feature in front of it.
final class ChangeTraceSide {
    /// Everything that the user, the callers and the server see of a queue.
    struct View: Equatable {
        var values: [String: [String]] = [:]
        var pending: [String: [String]] = [:]
        var outcomes: [String: String] = [:]
        let open: [String: [String]]
        let received: [String: [String]]
        let words: [String: [String]]
    }

    static let lists = ["a", "b"]

    let server: ChangeTraceServer
    let clock: ManualClock
    private let store: RecordStore<String, [String]>
    private var loaders: [String: Loader<String, [String]>] = [:]
    private let outbox: AccountOutbox?
    /// The changes of this session by their labels.
    private var ids: [String: IdempotencyKey] = [:]
    private var made: [(list: String, label: String)] = []
    private var outcomes: [String: String] = [:]

    init(
        _ server: ChangeTraceServer,
        _ clock: ManualClock,
        _ outbox: AccountOutbox?,
        sending sender: ChangeSender<String, [String]>
    ) {
        (self.server, self.clock, self.outbox) = (server, clock, outbox)
        store = RecordStore(clock: clock, sending: sender)
        for list in Self.lists {
            loaders[list] = Loader(store: store) { (id: String) in try await server.load(id) }
        }
    }

    // MARK: The app

    func load(isolation: isolated any Actor = #isolation) {
        for list in Self.lists { loaders[list]?.load(list) }
    }

    /// Notes a change that is about to be made.
    func expect(_ change: WordChange, of list: String) { made.append((list, change.label)) }

    func make(_ change: WordChange, of list: String, after label: String?) async {
        let dependencies = Set(label.flatMap { ids[$0] }.map { [$0] } ?? [])
        do {
            try await loaders[list]?.mutate(change, label: change.label, after: dependencies)
            outcomes[change.label] = "done"
        } catch let error as FeatureError {
            outcomes[change.label] = "\(error.code)"
        } catch {
            outcomes[change.label] = "\(error)"
        }
    }

    func reload(_ list: String) { loaders[list]?.reload() }

    func dismiss(_ label: String, of list: String) {
        if let id = ids.removeValue(forKey: label) { loaders[list]?.dismiss(id) }
    }

    /// Ends the session; its changes are discarded.
    func reset(isolation: isolated any Actor = #isolation) async throws {
        store.reset()
        ids = [:]
        await outbox?.stop()
        try await outbox?.discardAll()
        outbox?.start()
    }

    func end() async {
        await outbox?.stop()
        try? await outbox?.discardAll()
    }

    // MARK: Views

    var view: View {
        var view = View(
            open: server.open,
            received: server.received,
            words: server.words
        )
        view.outcomes = outcomes
        for list in Self.lists {
            view.values[list] = loaders[list]?.value
            view.pending[list] = pending(list).map(Self.text)
        }
        return view
    }

    private func pending(_ list: String) -> [PendingMutation] {
        let pending = loaders[list]?.pending ?? []
        for mutation in pending { ids[mutation.label ?? ""] = mutation.id }
        return pending
    }

    private static func text(_ mutation: PendingMutation) -> String {
        var words = [mutation.label ?? "", "\(mutation.status)"]
        if let error = mutation.error {
            words.append("\(error.code)")
            if let status = error.status { words.append("\(status) \(error.reason ?? "")") }
            if error.code == .dependencyFailed || error.code == .targetMissing { words.append(error.message) }
        }
        return words.joined(separator: " ")
    }

    func failed(_ list: String) -> [String] {
        pending(list).filter { $0.status == .failed }.compactMap(\.label)
    }

    /// The changes of a list that others can need.
    func known(_ list: String) -> [String] {
        made.filter { $0.list == list && ids[$0.label] != nil }.map(\.label)
    }

    /// Whether the first change of a list waits for its next attempt.
    var isWaiting: Bool {
        Self.lists.contains { list in
            pending(list).first { $0.status != .failed }.map { $0.status != .sending && $0.error != nil } ?? false
        }
    }

    /// Whether nothing happens until the trace does something.
    var isQuiet: Bool {
        let (open, loading) = (server.open, server.loading)
        return Self.lists.allSatisfy { list in
            let unsettled = pending(list).filter { $0.status != .failed }
            let sent = unsettled.first.flatMap { $0.status == .sending ? $0.label : nil }
            guard open[list] ?? [] == sent.map({ [$0] }) ?? [] else { return false }
            if sent == nil, let first = unsettled.first, first.error == nil { return false }
            guard (loaders[list]?.state.isLoading == true) == (loading[list] == 1) else { return false }
            let labels = unsettled.compactMap(\.label)
            return made.allSatisfy { $0.list != list || labels.contains($0.label) == (outcomes[$0.label] == nil) }
        }
    }
}
