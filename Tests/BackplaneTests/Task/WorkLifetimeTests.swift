import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

extension TaskKey {
    fileprivate static let search: Self = "search"
    fileprivate static let other: Self = "other"
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct WorkLifetimeTests {
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

    @Test(.rule("B52"))
    func `a new activation cancels the earlier work, and the cancellation is not a failure`() async {
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { board, input in tasks.append(board.task(heedful("work \(input)"))) }
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

    @Test(.rule("B52")) func `a chain that reactivates a board cancels the earlier work of that board`() async {
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.second) { board, _ in tasks.append(board.task(heedful("work"))) }
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 0)
        #expect(tasks.map(\.isCancelled) == [true, false])
        motherboard.complete()
        for task in tasks { await task.value }
    }

    @Test(.rule("B52")) func `work is cancelled before its board is activated again`() {
        var task: Task<Void, Never>?
        motherboard.probe(.first) { [journal] board, _ in
            journal.note(task.map { "\($0.isCancelled)" } ?? "none")
            task = board.task(heedful("work"))
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["none", "true"])
        motherboard.complete()
    }

    @Test(.rule("B52"))
    func `work that lasts as long as the board continues in later activations and ends with the board`() async {
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { board, input in
            if input == 0 { tasks.append(board.task(lasting: .board, heedful("work"))) }
        }
        motherboard.activate(.first, with: 0)
        await clock.sleepers(atLeast: 1)
        let later = motherboard.activate(.first, with: 1)
        #expect(!tasks[0].isCancelled)
        later.complete()
        await tasks[0].value
        #expect(journal.lines == ["work cancelled"])
    }

    @Test(.rule("B52")) func `an error of work that lasts as long as the board fails the later activation`() async {
        let gate = AsyncLatch()
        var task: Task<Void, Never>?
        motherboard.probe(.first) { board, input in
            if input > 0 { return }
            task = board.task(lasting: .board) {
                await gate.wait()
                throw Oops()
            }
        }
        motherboard.activate(.first, with: 0)
        let later = motherboard.activate(.first, with: 1)
        gate.open()
        await task?.value
        #expect(later.completion?.error is Oops)
    }

    @Test(.rule("B52")) func `work with a key cancels only the earlier work with that key`() async {
        var tasks: [Task<Void, Never>] = []
        var slot: Slot<Numbers>?
        motherboard.probe(.first) { board, _ in slot = board.slot }
        motherboard.activate(.first, with: 0)
        for key in [TaskKey.search, .other, .search] {
            if let slot { tasks.append(slot.task(key, heedful("\(key)"))) }
        }
        if let slot { tasks.append(slot.task(heedful("no key"))) }
        #expect(tasks.map(\.isCancelled) == [true, false, false, false])
        await tasks[0].value
        #expect(slot?.isLive == true)
        motherboard.complete(.first)
        #expect(tasks.map(\.isCancelled) == [true, true, true, true])
        for task in tasks { await task.value }
    }

    @Test(.rule("B52")) func `equal keys on different boards are independent`() {
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first, reuse: .perActivation) { board, _ in
            tasks.append(board.task(.search, heedful("work")))
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 1)
        #expect(tasks.map(\.isCancelled) == [false, false])
        motherboard.complete()
    }

    @Test(.rule("B52")) func `keyed work that lasts as long as the board runs until work with that key replaces it`() {
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { board, input in
            if input != 1 { tasks.append(board.task(.search, lasting: .board, heedful("work"))) }
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 1)
        #expect(tasks.map(\.isCancelled) == [false])
        motherboard.activate(.first, with: 2)
        #expect(tasks.map(\.isCancelled) == [true, false])
        motherboard.complete()
        #expect(tasks.map(\.isCancelled) == [true, true])
    }

    @Test(.rule("B52")) func `an error of superseded or replaced work does not fail the board`() async {
        let gate = AsyncLatch()
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { board, input in
            let work: () async throws -> Void = {
                await gate.wait()
                if input < 2 { throw Oops() }
            }
            tasks.append(input == 0 ? board.task(work) : board.task(.search, lasting: .board, work))
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 1)
        let last = motherboard.activate(.first, with: 2)
        gate.open()
        for task in tasks { await task.value }
        #expect(tasks.count == 3)
        #expect(last.state == .active)
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

    @Test(.rule("B52")) func `a cancellation handler may complete the board of the superseded work`() async {
        _ = await activate { [motherboard] in motherboard.complete(.first) }
        #expect(motherboard.activate(.first, with: 1).state == .completed)
        #expect(journal.lines == ["0"])
    }

    @Test(.rule("B52")) func `a cancellation handler may activate the board of the superseded work`() async {
        _ = await activate { [motherboard] in motherboard.activate(.first, with: 2) }
        #expect(motherboard.activate(.first, with: 1).state == .superseded)
        #expect(journal.lines == ["0", "2"])
    }

    @Test(.rule("B52")) func `a cancellation handler may replace the work that replaces its own work`() async {
        var slot: Slot<Numbers>?
        var inner: Task<Void, Never>?
        let first = await activate { inner = slot?.task(.search) {} }
        slot = motherboard.entry(for: .first).liveBoards.first.map { Slot(liveBoard: uncheckedDowncast($0)) }
        let outer = slot?.task(.search) {}
        #expect(outer?.isCancelled == true)
        #expect(inner?.isCancelled == false)
        #expect(slot?.liveBoard.extras?.works.count == 1)
        #expect(first.state == .active)
    }

    private func uncheckedDowncast(_ liveBoard: AnyLiveBoard) -> LiveBoard<Numbers> {
        liveBoard as? LiveBoard<Numbers> ?? { preconditionFailure("The live board has another contract.") }()
    }
}
