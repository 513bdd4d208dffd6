import Backplane
import TestSupport
import Testing

@MainActor
struct FlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B15")) func `all flows of an ID fire in the order of registration`() {
        motherboard.probe(.first) { board, input in board.send(input) }
        for name in ["a", "b", "c"] {
            motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note(name) }
        }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["a", "b", "c"])
    }

    @Test(.rule("B15")) func `a flow that is registered during a delivery fires from the next delivery on`() {
        motherboard.probe(.first) { board, input in board.send(input) }
        motherboard.registerFlow(from: .first) { [journal] _, motherboard in
            motherboard.registerFlow(from: .first) { _, _ in journal.note("late") }
        }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["late"])
    }

    @Test(.rule("B15")) func `a flow that is removed during a delivery does not fire`() {
        motherboard.probe(.first) { board, input in board.send(input) }
        var token: Registration?
        motherboard.registerFlow(from: .first) { _, motherboard in
            if let token { motherboard.remove(token) }
        }
        token = motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("removed") }
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("last") }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["last"])
    }

    @Test(.rule("B15")) func `a flow with a weak target that is removed during a delivery does not fire`() {
        motherboard.probe(.first) { board, input in board.send(input) }
        var token: Registration?
        motherboard.registerFlow(from: .first) { _, motherboard in
            if let token { motherboard.remove(token) }
        }
        token = motherboard.registerFlow(from: .first, weak: journal) { journal, _ in journal.note("removed") }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B16")) func `a handler receives its motherboard, and a removed handler receives nothing`() {
        motherboard.probe(.first) { board, input in board.send(input) }
        let token = motherboard.registerFlow(from: .first) { [journal, motherboard] _, given in
            journal.note(given === motherboard ? "same" : "other")
        }
        motherboard.activate(.first, with: 0)
        motherboard.remove(token)
        motherboard.remove(token)
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["same"])
    }

    @Test(.rule("B16")) func `removing a flow releases its captured objects`() {
        weak var weakJournal: Journal?
        do {
            let journal = Journal()
            weakJournal = journal
            let tokens = [
                motherboard.registerFlow(from: .first) { _, _ in journal.note("") },
                motherboard.registerCompletionFlow(.first) { _, _ in journal.note("") },
                motherboard.registerGeneralFlow { (_: Wish, _) in journal.note("") },
            ]
            for token in tokens { motherboard.remove(token) }
        }
        #expect(weakJournal == nil)
    }

    @Test(.rule("B16")) func `a handler of several boards with one output type receives the ID of the sender`() {
        motherboard.probe(.first) { board, input in board.send(input) }
        motherboard.probe(.second) { board, input in board.send(input) }
        motherboard.probe(.figures) { board, input in board.send(input) }
        let record = motherboard.observeEvents()
        let three = motherboard.registerFlow(from: .first, .second, .figures) { [journal] output, sender, _ in
            journal.note("\(sender) \(output)")
        }
        motherboard.activate(.second, with: 2)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.figures, with: 3)
        motherboard.remove(three)
        let two = motherboard.registerFlow(from: .first, .figures) { [journal] output, sender, _ in
            journal.note("\(sender) \(output)")
        }
        motherboard.activate(.figures, with: 4)
        motherboard.activate(.first, with: 5)
        motherboard.remove(two)
        #expect(journal.lines == ["second 2", "first 1", "figures 3", "figures 4", "first 5"])
        motherboard.activate(.first, with: 1)
        motherboard.activate(.second, with: 2)
        motherboard.activate(.figures, with: 3)
        #expect(record.boards(.unhandledOutput) == ["first", "second", "figures"], "no board has a flow left")
    }

    @Test(.rule("B16")) func `a flow with a weak target ends with the target`() {
        final class Target {
            var seen: [Int] = []
        }
        motherboard.probe(.first) { board, input in board.send(input) }
        let record = motherboard.observeEvents()
        var target: Target? = Target()
        if let target {
            motherboard.registerFlow(from: .first, weak: target) { target, output in target.seen.append(output) }
        }
        motherboard.activate(.first, with: 1)
        #expect(target?.seen == [1])
        weak let gone = target
        target = nil
        #expect(gone == nil)
        motherboard.activate(.first, with: 2)
        motherboard.activate(.first, with: 3)
        #expect(record.boards(.unhandledOutput) == ["first"], "the flow removed itself at the second output")
    }

    @Test(.rule("B17")) func `a chain activates each board with the output of the previous board`() {
        motherboard.probe(.first) { board, input in board.send(input + 1) }
        motherboard.probe(.second) { board, input in board.send(input * 10) }
        motherboard.probe(.figures) { [journal] _, input in journal.note("\(input)") }
        let token = motherboard.registerFlowSteps(.first ->>> .second ->>> .figures)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["20"])
        motherboard.remove(token)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["20"])
    }

    @Test(.rule("B17")) func `a chain may be registered before its boards are registered`() {
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.probe(.second) { [journal] _, input in journal.note("\(input)") }
        motherboard.probe(.first) { board, input in board.send(input) }
        motherboard.activate(.first, with: 4)
        #expect(journal.lines == ["4"])
    }

    @Test(.rule("B20")) func `a completion flow receives the completion of a board`() {
        motherboard.probe(.first)
        let token = motherboard.registerCompletionFlow(.first) { [journal] completion, _ in
            journal.note("\(completion)")
        }
        motherboard.activate(.first, with: 0).complete()
        motherboard.activate(.first, with: 0).complete(.cancelled)
        motherboard.activate(.first, with: 0).complete(.failed(Oops()))
        motherboard.remove(token)
        motherboard.activate(.first, with: 0).complete()
        #expect(journal.lines == ["done", "cancelled", "failed(Oops)"])
    }

    @Test(.rule("B21")) func `an output without a flow raises one event`() {
        let record = motherboard.observeEvents()
        motherboard.probe(.first) { board, input in board.send(input) }
        motherboard.activate(.first, with: 0)
        #expect(record.boards(.unhandledOutput) == ["first"])
        #expect(record.boards(.output).isEmpty)
    }
}
