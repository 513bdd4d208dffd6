import Backplane
import TestSupport
import Testing

@MainActor
struct LastOutputTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B3")) func `a last output is delivered after the removal of the board and before its completion`() {
        motherboard.probe(.first)
        motherboard.registerFlow(from: .first) { [journal] output, motherboard in
            journal.note("\(output) \(motherboard.send(0, to: .first))")
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("\(completion)") }
        var slot: Slot<Numbers>?
        motherboard.register(.first, replacing: true) {
            slot = $0
            return ProbeBoard(slot: $0)
        }
        motherboard.activate(.first, with: 0)
        slot?.complete(.cancelled, sending: 7)
        #expect(journal.lines == ["7 notLive", "cancelled"])

        let record = motherboard.observeEvents()
        slot?.complete(sending: 8)
        #expect(record.boards(.droppedOutput) == ["first"])
        #expect(journal.lines.count == 2)
    }

    @Test(.rule("B30"))
    func `an admitted board may activate another board behind the same gate, which is asked again`() throws {
        var doorkeepers: [ProbeBoard<Doorkeeper>] = []
        motherboard.register(.doorkeeper) { slot in
            let board = ProbeBoard(slot: slot)
            doorkeepers.append(board)
            return board
        }
        motherboard.probe(.first) { board, input in board.nextToBoard(.second, with: input) }
        motherboard.probe(.second) { [journal] _, input in journal.note("second \(input)") }
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.gate(id, by: .doorkeeper) { $0 ? .open : .closed }
        }
        motherboard.activate(.first, with: 7)
        doorkeepers[0].complete(sending: true)
        try #require(doorkeepers.count == 2)
        doorkeepers[1].complete(sending: true)
        #expect(journal.lines == ["second 7"])
    }
}
