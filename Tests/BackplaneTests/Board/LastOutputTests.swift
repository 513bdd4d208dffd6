import Backplane
import TestSupport
import Testing

@MainActor
struct LastOutputTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B3")) func `a last output is delivered after the removal of the board and before its completion`() {
        motherboard.registerFlow(from: .first) { [journal] output, motherboard in
            journal.note("\(output) \(motherboard.send(0, to: .first))")
        }
        motherboard.noteCompletions(of: .first, in: journal)
        let slot = motherboard.enter(.first, with: 0).slot
        slot.complete(.cancelled, sending: 7)
        let record = motherboard.observeEvents()
        slot.complete(sending: 8)
        #expect(record.boards(.droppedOutput) == ["first"])
        #expect(journal.lines == ["7 notLive", "cancelled"])
    }

    @Test(.rule("B30"))
    func `an admitted board may activate another board behind the same gate, which is asked again`() throws {
        let doorkeepers = Asked<Doorkeeper>()
        motherboard.probe(.doorkeeper, notedIn: doorkeepers)
        motherboard.probe(.first) { board, input in board.nextToBoard(.second, with: input) }
        motherboard.probe(.second) { [journal] _, input in journal.note("second \(input)") }
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.gate(id, by: .doorkeeper) { $0 ? .open : .closed }
        }
        motherboard.activate(.first, with: 7)
        doorkeepers.boards[0].complete(sending: true)
        try #require(doorkeepers.boards.count == 2)
        doorkeepers.boards[1].complete(sending: true)
        #expect(journal.lines == ["second 7"])
    }
}
