import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// The actor of list traces, on which tasks switch faster than on the main actor.
@globalActor actor TraceActor {
    static let shared = TraceActor()
}

/// A random sequence of events between a list and a server, checked after every step.
@TraceActor final class ListTrace {
    private enum Step: CaseIterable {
        case insert, edit, editAgain, delete, handle, handleAgain, deliver, deliverAgain, lose, retry
        case load, reload, loadMore, read, readAgain, land, landAgain
    }

    private enum Outcome {
        case done, failed
    }

    private var generator: SeededGenerator
    private let server: ListServer
    private let store: RecordStore<Int, Line>
    private let list: PagedLoader<Int, Line>

    private var operations = 0
    private var outcomes: [Int: Outcome] = [:]
    private var insertions: Set<Int> = []
    /// The origins of the lines with a requested deletion.
    private var deleted: Set<Int> = []
    private var journal: [String] = []
    private var problem: String?

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let server = ListServer(makesIDs: generator.chance(70))
        self.server = server
        store = RecordStore(identity: \.id, clock: ManualClock())
        list = PagedLoader(store: store) { cursor in try await server.page(after: cursor) }
    }

    /// Runs the trace and returns a report of the first problem; `nil` if there is no problem.
    func play(steps: Int) async -> String? {
        list.load()
        for _ in 0..<steps where problem == nil {
            take(Step.allCases[generator.below(Step.allCases.count)])
            check()
            await calmDown()
            check()
        }
        await rest()
        return problem.map { (journal + [$0]).joined(separator: "\n") }
    }

    private func take(_ step: Step) {
        switch step {
        case .insert: if generator.chance(40), operations < 8 { insert() }
        case .edit, .editAgain: if let line = anyLine(), operations < 8 { edit(line) }
        case .delete: if generator.chance(30), let line = anyLine(), operations < 8 { delete(line) }
        case .handle, .handleAgain:
            if let index = index(of: server.sends) {
                handle(index, isWelcome: generator.chance(75), returnsLine: generator.chance(70))
            }
        case .deliver, .deliverAgain: if let index = index(of: server.sends) { deliver(index, isLost: false) }
        case .lose: if let index = index(of: server.sends) { deliver(index, isLost: true) }
        case .retry: list.retryPending()
        case .load: note("load") { list.load() }
        case .reload: note("reload") { list.reload() }
        case .loadMore: note("load more") { list.loadMore() }
        case .read, .readAgain: if let index = index(of: server.pages) { read(index) }
        case .land, .landAgain: if let index = index(of: server.pages), server.hasRead(index) { land(index) }
        }
    }

    private func index(of calls: [some Any]) -> Int? {
        calls.isEmpty ? nil : generator.below(calls.count)
    }

    private func anyLine() -> Line? {
        let lines = list.items
        return index(of: lines).map { lines[$0] }
    }

    private func note(_ text: String, _ body: () -> Void) {
        journal.append(text)
        body()
    }

    private func read(_ index: Int) {
        note("the server reads the page after \(String(describing: server.pages[index].cursor))") { server.read(index) }
    }

    private func land(_ index: Int) {
        note("a page lands") { server.deliverPage(index) }
    }

    private func handle(_ index: Int, isWelcome: Bool, returnsLine: Bool) {
        server.handle(index, isWelcome: isWelcome, returnsLine: returnsLine)
        journal.append("the server handles \(server.sends[index].operation): \(server.lines)")
    }

    private func deliver(_ index: Int, isLost: Bool) {
        guard isLost || server.sends[index].call.answer != nil else { return }
        note("the response to \(server.sends[index].operation) is \(isLost ? "lost" : "delivered")") {
            server.deliver(index, isLost: isLost)
        }
    }

    private func insert() {
        let (operation, list, server) = (begin("inserts a line"), list, server)
        insertions.insert(operation)
        let line = Line(id: 1_000 + operation, origin: operation)
        follow(operation) {
            try await list.insert(line) { key in
                try await server.send(key, of: operation, .insert(line))
            } confirming: {
                $0
            }
        }
    }

    private func edit(_ line: Line) {
        let (operation, list, server) = (begin("edits line \(line.id)"), list, server)
        let mutation = Mutation<Line> {
            $0.edits.append(operation)
        } send: { key in
            try await server.send(key, of: operation, .edit(list.currentID(of: line.id), operation: operation))
        } confirming: {
            $0
        }
        follow(operation) { try await list.mutate(mutation, of: line.id) }
    }

    private func delete(_ line: Line) {
        let (operation, list, server) = (begin("deletes line \(line.id)"), list, server)
        deleted.insert(line.origin)
        let mutation = Mutation<Line>.delete { key in
            try await server.send(key, of: operation, .delete(list.currentID(of: line.id)))
        }
        follow(operation) { try await list.mutate(mutation, of: line.id) }
    }

    private func begin(_ what: String) -> Int {
        operations += 1
        journal.append("operation \(operations) \(what)")
        return operations
    }

    private func follow(_ operation: Int, _ body: @escaping () async throws -> Void) {
        Task {
            do {
                try await body()
                outcomes[operation] = .done
            } catch {
                outcomes[operation] = .failed
            }
        }
    }

    /// Returns when every started request has arrived at the server.
    private func calmDown() async {
        await Task {}.value
        for _ in 0..<100 where !isCalm { await Task.yield() }
    }

    private var isCalm: Bool {
        let sending = store.pendingRecords.filter { $0.pending.contains { $0.status == .sending } }
        return sending.count == server.sends.count && (!list.machine.isLoading || !server.pages.isEmpty)
    }
}

// MARK: - Invariants

extension ListTrace {
    private func check() {
        guard problem == nil else { return }
        let lines = list.items
        for (origin, same) in Dictionary(grouping: lines, by: \.origin) where same.count > (isUnknown(origin) ? 2 : 1) {
            problem = "Line \(origin) is shown \(same.count) times in \(lines)."
        }
        if Set(list.ids).count != lines.count { problem = "The IDs are \(list.ids), but the lines are \(lines)." }
        for line in lines {
            if server.refused.contains(line.origin), outcomes[line.origin] == .failed {
                problem = "Line \(line.origin) is shown although it was rejected."
            }
            check(line)
        }
        for (_, operation, request, _) in server.sends {
            guard case .insert = request, !deleted.contains(operation) else { continue }
            if !lines.contains(where: { $0.origin == operation }) {
                problem = "Line \(operation) is being inserted but is not shown in \(lines)."
            }
        }
    }

    /// Returns whether a page may contain an inserted line whose ID on the server is unknown (A21).
    private func isUnknown(_ origin: Int) -> Bool { insertions.contains(origin) && outcomes[origin] == nil }

    private func check(_ line: Line) {
        if Set(line.edits).count != line.edits.count { problem = "An operation is shown twice in \(line)." }
        for edit in line.edits where outcomes[edit] == .failed {
            problem = "Operation \(edit) is shown although it failed."
        }
        for (_, operation, request, _) in server.sends {
            guard case .edit(let id, _) = request, id == line.id, !line.edits.contains(operation) else { continue }
            problem = "Operation \(operation) is running but is not shown in \(line)."
        }
    }

    /// Ends all running work without further losses.
    private func rest() async {
        journal.append("all running work ends")
        var rounds = 0
        while problem == nil, rounds < 200 {
            rounds += 1
            if !server.sends.isEmpty {
                handle(0, isWelcome: true, returnsLine: true)
                deliver(0, isLost: false)
            } else if !server.pages.isEmpty {
                read(0)
                land(0)
            } else if !store.pendingRecords.isEmpty {
                list.retryPending()
                for record in store.pendingRecords { record.retryPending() }
            } else if list.state.isLoading {
                await Task.yield()
            } else {
                break
            }
            await calmDown()
            check()
        }
        guard problem == nil else { return }
        list.reload()
        await calmDown()
        while !server.pages.isEmpty, rounds < 300 {
            rounds += 1
            read(0)
            land(0)
            await calmDown()
        }
        check()
        let expected = Array(server.lines.prefix(ListServer.pageSize))
        if problem == nil, list.items != expected {
            problem = "At the end, \(list.items) is shown, but \(expected) is expected."
        }
        if problem == nil, list.state.isLoading { problem = "At the end, the list is still loading." }
    }
}
