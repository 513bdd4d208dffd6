import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

extension TaskKey {
    fileprivate static let search: Self = "search"
    fileprivate static let other: Self = "other"
}

@Suite(.rule("B52"), .timeLimit(.minutes(5))) @MainActor struct WorkLifetimeTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let clock = ManualClock()

    /// Returns work that stops when it is cancelled and notes how it ends.
    private func heedful(_ name: String) -> () async throws -> Void {
        let (clock, journal) = (clock, journal)
        return {
            defer { journal.note("\(name) \(Task.isCancelled ? "cancelled" : "not cancelled")") }
            try await clock.sleep(for: .seconds(1))
        }
    }

    @Test func `if an observer ends or replaces a board while its work begins, the work is cancelled`() async {
        var board: ProbeBoard<Numbers>?
        var whenStarted: () -> Void = {}
        motherboard.observe { event in
            guard event.kind == .taskStarted else { return }
            let react = whenStarted
            whenStarted = {}
            react()
        }
        motherboard.probe(.first) { given, _ in board = given }
        for ends in [true, false] {
            motherboard.activate(.first, with: 0)
            whenStarted = { [motherboard] in
                if ends { motherboard.complete(.first) } else { board?.task(.search) {} }
            }
            await board?.task(.search, heedful(ends ? "ended" : "replaced")).value
        }
        motherboard.registerTask(.figures) { [journal] input, _ in
            journal.note("runs")
            return input
        }
        whenStarted = { [motherboard] in motherboard.complete(.figures) }
        let outputs = try? await motherboard.outputs(of: .figures, with: 1).all()
        #expect(outputs == [])
        #expect(journal.lines == ["ended cancelled", "replaced cancelled"])
    }

    @Test func `a new activation cancels the earlier work, and the cancellation is not a failure`() async {
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { board, input in
            #expect(tasks.allSatisfy { $0.isCancelled }, "earlier work is cancelled before the board is activated")
            tasks.append(board.task(heedful("work \(input)")))
        }
        motherboard.activate(.first, with: 1)
        await clock.sleepers(atLeast: 1)
        let later = motherboard.activate(.first, with: 2)
        await tasks[0].value
        #expect(journal.lines == ["work 1 cancelled"])
        #expect(!tasks[1].isCancelled)
        #expect(later.state == .active)
        later.complete()
        await tasks[1].value
        #expect(journal.lines == ["work 1 cancelled", "work 2 cancelled"])
    }

    @Test func `work with a key cancels only the earlier work with that key on the same board`() async {
        motherboard.probe(.second) { board, _ in _ = board.task(.search, heedful("other board")) }
        motherboard.activate(.second, with: 0)
        let board = motherboard.enter(.first, with: 0)
        let keys: [TaskKey] = [.search, .other, .search]
        var tasks = keys.map { board.task($0, heedful("\($0)")) }
        tasks.append(board.task(heedful("no key")))
        #expect(tasks.map(\.isCancelled) == [true, false, false, false])
        await tasks[0].value
        #expect(board.slot.isLive)
        board.complete()
        #expect(tasks.map(\.isCancelled) == [true, true, true, true])
        for task in tasks { await task.value }
        #expect(!journal.lines.contains("other board cancelled"))
        motherboard.complete()
    }

    /// Activates board `.first` with work that calls `action` in its cancellation handler.
    ///
    /// The board notes its inputs, and only its first activation starts the work.
    private func activate(cancelling action: @escaping @MainActor () -> Void) async -> Activation<Numbers> {
        let hold = AsyncLatch()
        let journal = journal
        motherboard.probe(.first) { board, input in
            journal.note("\(input)")
            if input > 0 { return }
            board.task(.search) {
                await withTaskCancellationHandler {
                    try? await hold.waitUnlessCancelled()
                } onCancel: {
                    MainActor.assumeIsolated { action() }
                }
            }
        }
        let activation = motherboard.activate(.first, with: 0)
        await hold.arrivals(atLeast: 1)
        return activation
    }

    @Test func `a cancellation handler may complete the board of the superseded work`() async {
        _ = await activate { [motherboard] in motherboard.complete(.first) }
        #expect(motherboard.activate(.first, with: 1).state == .completed)
        #expect(journal.lines == ["0"])
    }

    @Test func `a cancellation handler may activate the board of the superseded work`() async {
        _ = await activate { [motherboard] in motherboard.activate(.first, with: 2) }
        #expect(motherboard.activate(.first, with: 1).state == .superseded)
        #expect(journal.lines == ["0", "2"])
    }

    @Test func `a cancellation handler may replace the work that replaces its own work`() async {
        var slot: Slot<Numbers>?
        var inner: Task<Void, Never>?
        let first = await activate { inner = slot?.task(.search) {} }
        let liveBoard = motherboard.entry(for: .first).liveBoards.first as? LiveBoard<Numbers>
        slot = liveBoard.map { Slot(liveBoard: $0) }
        let outer = slot?.task(.search) {}
        #expect(outer?.isCancelled == true)
        #expect(inner?.isCancelled == false)
        #expect(slot?.liveBoard.extras?.works.count == 1)
        #expect(first.state == .active)
    }
}
