import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.rule("B35"))
struct TaskTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let clock = ManualClock()

    @Test func `the tasks of a completed board are cancelled, and the cancellation is not a failure`() async {
        let (clock, journal) = (clock, journal)
        motherboard.noteCompletions(of: .first, in: journal)
        let board = motherboard.enter(.first, with: 0)
        let tasks = (1...2).map { seconds in
            board.task {
                defer { journal.note(Task.isCancelled ? "cancelled" : "not cancelled") }
                try await clock.sleep(for: .seconds(seconds))
            }
        }
        await board.task {}.value
        await clock.sleepers(atLeast: 2)
        board.complete()
        for task in tasks { await task.value }
        #expect(journal.lines == ["done", "cancelled", "cancelled"])
    }

    @Test func `a task's CancellationError is ignored, and another error fails the board`() async {
        motherboard.noteCompletions(of: .first, in: journal)
        let board = motherboard.enter(.first, with: 1)
        await board.task { throw CancellationError() }.value
        #expect(board.slot.isLive)
        let again = motherboard.activate(.first, with: 2)
        let failing = board.task {
            await Task.yield()
            throw Oops()
        }
        await failing.value
        #expect(again.state == .completed)
        #expect(journal.lines == ["failed(Oops)"])
    }

    @Test func `a released motherboard cancels the tasks of its boards`() async {
        let (clock, journal) = (clock, journal)
        var task: Task<Void, Never>?
        do {
            let motherboard = Motherboard()
            motherboard.probe(.first) { board, _ in
                task = board.task {
                    try? await clock.sleep(for: .seconds(1))
                    journal.note(Task.isCancelled ? "cancelled" : "not cancelled")
                    board.send(1)
                }
            }
            motherboard.noteOutputs(of: .first, in: journal)
            motherboard.activate(.first, with: 0)
            await clock.sleepers(atLeast: 1)
        }
        await task?.value
        #expect(journal.lines == ["cancelled"])
    }

    @Test(.rule("B29")) func `a finished task is not kept and releases its captured objects`() async {
        weak var captured: Journal?
        let board = motherboard.enter(.first, with: 0)
        do {
            let journal = Journal()
            captured = journal
            let task = board.task { journal.note("ran") }
            #expect(board.slot.liveBoard.extras?.works.count == 1)
            await task.value
        }
        #expect(board.slot.liveBoard.extras?.works.isEmpty == true)
        // The frame of the task is released shortly after its value is available.
        for _ in 0..<100 where captured != nil { await Task.yield() }
        #expect(captured == nil)
    }
}
