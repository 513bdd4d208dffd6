import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@MainActor
struct TaskTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let clock = ManualClock()

    @Test(.rule("B35"))
    func `the tasks of a completed board are cancelled, and the cancellation is not a failure`() async {
        let clock = clock
        var tasks: [Task<Void, Never>] = []
        motherboard.probe(.first) { [journal] board, _ in
            for seconds in 1...2 {
                tasks.append(
                    board.task {
                        defer { journal.note(Task.isCancelled ? "cancelled" : "not cancelled") }
                        try await clock.sleep(for: .seconds(seconds))
                    }
                )
            }
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("\(completion)") }
        let activation = motherboard.activate(.first, with: 0)
        await clock.sleepers(atLeast: 2)
        activation.complete()
        for task in tasks { await task.value }
        #expect(journal.lines == ["done", "cancelled", "cancelled"])
    }

    @Test(.rule("B35")) func `a task's CancellationError is ignored, and another error fails the board`() async {
        motherboard.probe(.first) { board, input in
            board.task {
                await Task.yield()
                if input == 1 { throw CancellationError() }
                throw Oops()
            }
        }
        let failed = AsyncLatch()
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in
            journal.note("\(completion)")
            failed.open()
        }
        let activation = motherboard.activate(.first, with: 1)
        var task: Task<Void, Never>?
        motherboard.probe(.second) { board, _ in task = board.task { throw CancellationError() } }
        let second = motherboard.activate(.second, with: 0)
        await task?.value
        #expect(second.state == .active)
        #expect(activation.state == .active)
        let again = motherboard.activate(.first, with: 2)
        await failed.wait()
        #expect(again.state == .completed)
        #expect(journal.lines == ["failed(Oops)"])
    }

    @Test(.rule("B35")) func `a released motherboard cancels the tasks of its boards`() async {
        let clock = clock
        var task: Task<Void, Never>?
        do {
            let motherboard = Motherboard()
            motherboard.probe(.first) { [journal] board, _ in
                task = board.task {
                    try? await clock.sleep(for: .seconds(1))
                    journal.note(Task.isCancelled ? "cancelled" : "not cancelled")
                    board.send(1)
                }
            }
            motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("sent") }
            motherboard.activate(.first, with: 0)
            await clock.sleepers(atLeast: 1)
        }
        await task?.value
        #expect(journal.lines == ["cancelled"])
    }

    @Test(.rule("B35")) func `a completed board starts no task`() async {
        var slot: Slot<Numbers>?
        motherboard.register(.first) { given in
            slot = given
            return ProbeBoard(slot: given)
        }
        motherboard.activate(.first, with: 0).complete()
        await slot?.task { [journal] in journal.note("ran") }.value
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B35")) func `a finished task releases its captured objects`() async {
        weak var captured: Journal?
        var task: Task<Void, Never>?
        motherboard.probe(.first) { board, _ in
            let journal = Journal()
            captured = journal
            task = board.task { journal.note("ran") }
        }
        motherboard.activate(.first, with: 0)
        await task?.value
        task = nil
        // The frame of the task is released shortly after its value is available.
        for _ in 0..<100 where captured != nil { await Task.yield() }
        #expect(captured == nil)
    }

    @Test(.rule("B29")) func `a board keeps only running tasks`() async {
        var slot: Slot<Numbers>?
        motherboard.probe(.first) { board, _ in slot = board.slot }
        motherboard.activate(.first, with: 0)
        let task = slot?.task {}
        #expect(slot?.liveBoard.extras?.works.count == 1)
        await task?.value
        #expect(slot?.liveBoard.extras?.works.isEmpty == true)
    }

    @Test(.rule("B35")) func `a board cancels its other tasks at completion after the end of a task`() async {
        let clock = clock
        var slot: Slot<Numbers>?
        motherboard.probe(.first) { board, _ in slot = board.slot }
        let activation = motherboard.activate(.first, with: 0)
        let other = slot?.task { try await clock.sleep(for: .seconds(1)) }
        await slot?.task {}.value
        activation.complete()
        #expect(other?.isCancelled == true)
    }
}
