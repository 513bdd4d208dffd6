import Backplane
import TestSupport
import Testing

@MainActor @Suite(.rule("B2"))
struct TurnTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test func `outputs are delivered one at a time in sending order, after the activation that sent them`() {
        motherboard.probe(.first) { [journal] board, _ in
            board.send(1)
            board.nextToBoard(.second, with: 0)
            board.send(2)
            journal.note("first activated")
        }
        motherboard.probe(.second) { [journal] board, _ in
            board.send(3)
            journal.note("second activated")
        }
        motherboard.registerFlow(from: .first) { [journal] output, _ in journal.note("first sent \(output)") }
        motherboard.registerFlow(from: .second) { [journal] output, _ in journal.note("second sent \(output)") }
        motherboard.activate(.first, with: 0)
        #expect(
            journal.lines == [
                "second activated", "first activated", "first sent 1", "second sent 3", "first sent 2",
            ]
        )
    }

    @Test func `actions and completions keep their order among the outputs of all boards`() {
        motherboard.probe(.second, onCommand: { board, command in board.send(command) })
        motherboard.probe(.first) { board, _ in
            let second = board.nextToBoard(.second, with: 0)
            board.send(1)
            second.send(2)
            board.sendAction(Wish.returnHome)
            board.send(3)
            board.complete()
            second.send(4)
        }
        motherboard.noteOutputs(of: .first, .second, in: journal)
        motherboard.registerGeneralFlow { [journal] (wish: Wish, _) in journal.note("\(wish)") }
        motherboard.noteCompletions(of: .first, in: journal)
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["first 1", "second 2", "returnHome", "first 3", "done", "second 4"])
    }

    @Test func `a turn over its budget raises one event that names the cycle`() {
        for motherboard in [Motherboard(turnBudget: 1_000), .onMain(turnBudget: 1_000)] {
            checkBudget(of: motherboard, is: 1_000)
        }
        checkBudget(of: .onMain(), is: 100_000)
    }

    private func checkBudget(of motherboard: Motherboard, is budget: Int) {
        var hops = 0
        motherboard.probe(.first) { board, input in
            hops += 1
            board.send(input)
        }
        motherboard.probe(.second) { board, input in board.send(input) }
        motherboard.registerFlowSteps(.first ->>> .second ->>> .first)
        // A board in front of the cycle, which the event does not name.
        motherboard.echo(BoardID<Numbers>.third)
        motherboard.registerFlow(from: .third) { output, motherboard in motherboard.activate(.first, with: output) }
        let record = motherboard.observeEvents()
        motherboard.observe { [unowned motherboard] event in
            if event.kind == .turnBudgetExceeded { motherboard.complete(.first) }
        }
        motherboard.registerCompletionFlow(.first) { _, motherboard in motherboard.complete() }
        motherboard.activate(.third, with: 0)
        let raised = record.events.filter { $0.kind == .turnBudgetExceeded }
        #expect(raised.count == 1)
        #expect(hops < budget)
        let message = raised.first?.message ?? ""
        #expect(message.contains(": first, second.") || message.contains(": second, first."))
        #expect(message.contains("turnBudget"))
    }

    @Test func `a turn over its budget names the board, for outputs, actions and completions`() {
        let motherboard = Motherboard(turnBudget: 200)
        let record = motherboard.observeEvents()
        motherboard.probe(.first) { board, _ in
            for output in 0..<300 { board.send(output) }
        }
        motherboard.activate(.first, with: 0)
        motherboard.probe(.second) { board, _ in
            for _ in 0..<300 { board.sendAction(Wish.returnHome) }
        }
        motherboard.activate(.second, with: 0)
        motherboard.probe(.third, reuse: .perActivation) { board, _ in board.send(0) }
        motherboard.probe(.figures) { board, _ in
            let others = (0..<200).map { _ in board.nextToBoard(.third, with: 0) }
            for other in others { other.complete() }
        }
        motherboard.activate(.figures, with: 0)
        let raised = record.events.filter { $0.kind == .turnBudgetExceeded }
        #expect(raised.map { $0.board?.name } == ["first", "second", "third"])
        for (event, name) in zip(raised, ["first", "second", "third"]) {
            #expect(event.message.contains(": \(name)."))
        }
    }

    @Test func `the budget applies to a single turn`() {
        let motherboard = Motherboard(turnBudget: 10)
        motherboard.probe(.first) { board, input in board.send(input) }
        let record = motherboard.observeEvents()
        for input in 0..<100 { motherboard.activate(.first, with: input) }
        #expect(record.boards(.turnBudgetExceeded).isEmpty)
    }

    @Test(.rule("B3")) func `outputs and actions sent after completion are dropped with an event`() {
        let record = motherboard.observeEvents()
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("delivered") }
        motherboard.probe(.first) { board, _ in
            board.complete()
            board.send(1)
            board.sendAction(Wish.returnHome)
        }
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("handled") }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.droppedOutput) == ["first", "first"])
    }

    #if os(macOS) || os(Linux)
        @Test(.rule("B4")) func `a use outside the owner traps`() async {
            await #expect(processExitsWith: .failure) {
                // Swift 6.2 and 6.3 run a closure with a capture list off its actor
                // (swiftlang/swift#87097). This is the only way to get there without unsafe code.
                await Stray().run()
            }
        }
    #endif
}

private actor Stray {
    func run() async {
        let motherboard = Motherboard()
        motherboard.probe(.first) { board, _ in
            board.task { [board] in board.send(1) }
        }
        motherboard.activate(.first, with: 0)
        await motherboard.activate(.first, with: 0).idle()
    }
}

extension Activation {
    /// Gives the tasks of the board time to trap.
    ///
    /// If nothing traps, the process ends normally and the test fails.
    nonisolated(nonsending) fileprivate func idle() async {
        for _ in 0..<200_000 { await Task.yield() }
    }
}
