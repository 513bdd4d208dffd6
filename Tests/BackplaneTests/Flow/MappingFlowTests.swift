import Backplane
import TestSupport
import Testing

@MainActor
struct MappingFlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.probe(.first) { board, input in board.send(input) }
        motherboard.probe(.words) { [journal] _, input in journal.note("words \(input)") }
    }

    /// Registers a flow that sends odd numbers to `words`.
    @discardableResult
    private func mapOddNumbers() -> Registration {
        motherboard.registerFlow(from: .first, to: .words) { $0.isMultiple(of: 2) ? nil : "\($0)" }
    }

    @Test(.rule("B18")) func `a flow may map an output to the input of a board with a different input type`() {
        mapOddNumbers()
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 3)
        #expect(journal.lines == ["words 1", "words 3"])
    }

    @Test(.rule("B18")) func `a mapping to nil activates nothing, and the output counts as handled`() {
        mapOddNumbers()
        let record = motherboard.observeEvents()
        motherboard.activate(.first, with: 2)
        #expect(journal.lines.isEmpty)
        #expect(motherboard.activate(.words, with: "").state == .active)
        #expect(record.boards(.activated) == ["first", "words"])
        #expect(record.boards(.unhandledOutput).isEmpty)
    }

    @Test(.rule("B18")) func `a removed mapping activates nothing`() {
        let token = mapOddNumbers()
        motherboard.activate(.first, with: 1)
        motherboard.remove(token)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["words 1"])
    }

    @Test(.rule("B18")) func `a mapping runs in registration order among the flows`() {
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("before") }
        mapOddNumbers()
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("after") }
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["before", "words 1", "after"])
    }

    @Test(.rule("B18")) func `a mapping may be registered before its boards and uses their latest registration`() {
        motherboard.registerFlow(from: .first, to: .third) { $0 }
        let record = motherboard.observeEvents()
        motherboard.activate(.first, with: 1)
        #expect(record.boards(.noSuchBoard) == ["third"])
        motherboard.probe(.third) { [journal] _, input in journal.note("third \(input)") }
        motherboard.activate(.first, with: 2)
        motherboard.register(.third, replacing: true) { [journal] slot in
            ProbeBoard(slot: slot) { journal.note("anew \($1)") }
        }
        motherboard.complete(.third)
        motherboard.activate(.first, with: 3)
        #expect(journal.lines == ["third 2", "anew 3"])
    }

    @Test(.rule("B18")) func `a mapping waits at the gate of the next board, whether or not that board is live`() {
        mapOddNumbers()
        motherboard.probe(.doorkeeper)
        motherboard.activate(.first, with: 1)
        motherboard.gate(.words, by: .doorkeeper) { _ in .open }
        motherboard.activate(.first, with: 3)
        motherboard.activate(.first, with: 5)
        #expect(journal.lines == ["words 1"])
        motherboard.complete(.words)
        motherboard.activate(.first, with: 7)
        #expect(journal.lines == ["words 1"])
    }

    @Test(.rule("B18")) func `a mapping creates a board for each output if the next board is made per activation`() {
        motherboard.probe(.third, reuse: .perActivation) { [journal] _, input in journal.note("\(input)") }
        motherboard.registerFlow(from: .first, to: .third) { $0 }
        for input in 1...3 { motherboard.activate(.first, with: input) }
        #expect(journal.lines == ["1", "2", "3"])
        #expect(motherboard.send(0, to: .third) == .delivered(3))
    }

    @Test(.rule("B18")) func `a mapping supersedes the earlier activation of the next board`() {
        mapOddNumbers()
        let words = motherboard.activate(.words, with: "")
        motherboard.activate(.first, with: 1)
        #expect(words.state == .superseded)
    }
}
