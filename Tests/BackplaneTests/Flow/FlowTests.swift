import Backplane
import TestSupport
import Testing

/// Flows: see also `ReferenceModel`.
@MainActor
struct FlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.echo(BoardID<Numbers>.first, .second)
        motherboard.echo(BoardID<Figures>.figures)
    }

    @Test(.rule("B15")) func `all flows of an ID fire in the order of registration, if they are registered in time`() {
        var removed: Registration?
        for name in ["a", "b"] {
            motherboard.registerFlow(from: .first) { [journal] _, motherboard in
                journal.note(name)
                if let token = removed.take() {
                    motherboard.remove(token)
                    motherboard.registerFlow(from: .first) { _, _ in journal.note("late") }
                }
            }
        }
        removed = motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("removed") }
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("last") }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["a", "b", "last"])
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["a", "b", "last", "a", "b", "last", "late"])
    }

    @Test(.rule("B16")) func `a handler receives its motherboard, and a removed handler receives nothing`() {
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

    @Test(.rule("B16")) func `a flow with a weak target ends with the target`() {
        let record = motherboard.observeEvents()
        var target: Journal? = Journal()
        if let target {
            motherboard.registerFlow(from: .first, weak: target) { target, output in target.note("\(output)") }
        }
        motherboard.activate(.first, with: 1)
        #expect(target?.lines == ["1"])
        weak let gone = target
        target = nil
        #expect(gone == nil)
        motherboard.activate(.first, with: 2)
        motherboard.activate(.first, with: 3)
        #expect(record.boards(.unhandledOutput) == ["first"], "the flow removed itself at the second output")
    }

    @Test(.rule("B17")) func `a chain activates each board with the output of the previous board`() {
        let token = motherboard.registerFlowSteps(.first ->>> .third ->>> BoardID<Figures>("last"))
        motherboard.probe(.third) { board, input in board.send(input * 10) }
        motherboard.probe(BoardID<Figures>("last")) { [journal] _, input in journal.note("\(input)") }
        motherboard.activate(.first, with: 2)
        motherboard.remove(token)
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["20"])
    }

    @Test(.rule("B18")) func `a flow maps an output to an input of another type, and nil activates nothing`() {
        motherboard.probe(.words) { [journal] _, input in journal.note("words \(input)") }
        motherboard.registerFlow(from: .first, to: .words) { $0.isMultiple(of: 2) ? nil : "\($0)" }
        let record = motherboard.observeEvents()
        for output in 1...3 { motherboard.activate(.first, with: output) }
        #expect(journal.lines == ["words 1", "words 3"])
        #expect(record.boards(.activated) == ["first", "words", "first", "first", "words"])
        #expect(record.boards(.unhandledOutput).isEmpty)
    }

    @Test(.rule("B20")) func `a completion flow receives the completion of a board`() {
        let token = motherboard.registerCompletionFlow(.first) { [journal] completion, _ in
            journal.note("\(completion)")
        }
        for completion in [Completion.done, .cancelled, .failed(Oops())] {
            motherboard.activate(.first, with: 0).complete(completion)
        }
        motherboard.remove(token)
        motherboard.activate(.first, with: 0).complete()
        #expect(journal.lines == ["done", "cancelled", "failed(Oops)"])
    }

    @Test(.rule("B21")) func `an output without a flow raises one event`() {
        let record = motherboard.observeEvents()
        motherboard.activate(.first, with: 0)
        #expect(record.boards(.unhandledOutput) == ["first"])
        #expect(record.boards(.output).isEmpty)
    }
}
