import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A loop that takes a turn for each round is noticed, too.
@Suite(.rule("B78"))
@MainActor struct TurnLoopTests {
    private let motherboard = Motherboard.onMain(turnBudget: 100)

    /// Counts the events about budgets, and opens `latch` at the first one.
    private final class Alarm {
        let latch = AsyncLatch()
        private(set) var messages: [String] = []

        init(on motherboard: Motherboard) {
            motherboard.observe { [unowned self] event in
                guard event.kind == .turnBudgetExceeded else { return }
                messages.append(event.message)
                latch.open()
            }
        }
    }

    @Test(arguments: [true, false])
    func `if the end of a switching scope asks its entrance again, an event is raised`(isTaskBoard: Bool) async {
        let alarm = Alarm(on: motherboard)
        if isTaskBoard {
            motherboard.registerTask(.picker) { _, _ in "next" }
        } else {
            // One board for all rounds, so that each round supersedes the work of the one before.
            motherboard.probe(.picker) { board, _ in board.task { board.send("next") } }
        }
        motherboard.probe(.organization)
        motherboard.registerScope(.organization, enteredBy: .picker, switching: true) { $0 }
        motherboard.registerCompletionFlow(.organization) { _, motherboard in motherboard.activate(.picker) }
        motherboard.activate(.organization, with: "first")
        motherboard.activate(.picker)
        await alarm.latch.wait()
        motherboard.complete()
        #expect(alarm.messages.count == 1)
        #expect(alarm.messages.first?.contains("started by: picker") == true)
    }

    @Test func `work that waits in a queue, and long work with many turns, do not count as loops`() async throws {
        let alarm = Alarm(on: motherboard)
        motherboard.registerTask(.figures, .queue) { number, _ in number }
        let last = AsyncLatch()
        motherboard.registerFlow(from: .figures) { number, _ in if number == 300 { last.open() } }
        for number in 1...300 { motherboard.activate(.figures, with: number) }
        await last.wait()
        let sent = AsyncLatch()
        motherboard.probe(.first) { board, _ in
            board.task(lasting: .board) {
                for number in 1...300 { board.send(number) }
                sent.open()
            }
        }
        motherboard.probe(.second) { board, _ in board.task {} }
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.activate(.first, with: 0)
        await sent.wait()
        #expect(alarm.messages == [])
    }
}
