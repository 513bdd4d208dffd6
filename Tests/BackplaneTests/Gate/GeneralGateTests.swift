import Backplane
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct GeneralGateTests {
    let motherboard = Motherboard.onMain()
    let doorkeeper = Asked<Doorkeeper>()
    let figures = Asked<Figures>()
    let journal = Journal()

    init() {
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        for id in [BoardID<Numbers>.first, .second, .third] {
            motherboard.probe(id) { [journal] _, input in journal.note("\(id) \(input)") }
        }
        motherboard.probe(.figures, notedIn: figures)
        motherboard.probe(.words)
    }

    private func gateAll() {
        motherboard.gateAll(by: .doorkeeper) { $0 ? .open : .closed }
    }

    // MARK: One general gate

    @Test(.rule("B31")) func `two general gates are asked in registration order and form no cycle`() {
        gateAll()
        motherboard.gateAll(by: .figures, with: 0, except: .second) { _ in .open }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.second, with: 2)
        #expect(figures.boards.isEmpty)
        doorkeeper.boards[0].send(true)
        #expect(second.state == .active)
        #expect(first.state == .waiting)
        #expect(figures.boards.isEmpty, "the second gate board is itself behind the first gate")
        #expect(doorkeeper.boards.count == 2)
        doorkeeper.boards[1].send(true)
        figures.boards[0].send(1)
        #expect(first.state == .active)
        #expect(motherboard.activate(.doorkeeper).state == .active, "the first gate board is not behind the second")
    }

    // MARK: Together with a board's own gates

    @Test(.rule("B31"))
    func `general gates from the root inward come before a board's own gates of all levels`() {
        let nested = motherboard.makeInner()
        let innermost = nested.makeInner("innermost")
        let gates = (1...4).map { BoardID<Figures>("gate \($0)") }
        for id in gates {
            motherboard.probe(id) { [journal] board, _ in
                journal.note(id.name)
                board.send(0)
            }
        }
        innermost.gate(.first, by: gates[3], with: 0) { _ in .open }
        motherboard.gate(.first, by: gates[2], with: 0) { _ in .open }
        nested.registerFlow(from: .first) { _, _ in }
        innermost.gateAll(by: gates[1], with: 0, except: gates[3]) { _ in .open }
        motherboard.gateAll(by: gates[0], with: 0, except: gates[1], gates[2], gates[3]) { _ in .open }
        innermost.activate(.first, with: 1)
        #expect(journal.lines == ["gate 1", "gate 2", "gate 3", "gate 4", "first 1"])
    }

    // MARK: Registering again

    @Test(.rule("B31", "B75")) func `an exception does not apply to a board of another contract with the same name`() {
        let nested = motherboard.makeInner()
        let (words, figures) = (BoardID<Words>("help"), BoardID<Figures>("help"))
        nested.probe(words)
        motherboard.gateAll(by: .doorkeeper, except: figures) { $0 ? .open : .closed }
        motherboard.probe(figures)
        #expect(motherboard.activate(figures, with: 1).state == .active)
        #expect(nested.activate(words, with: "").state == .waiting)
    }

    @Test(.rule("B31", "B75")) func `a board with the name of another contract's gate board is behind the gate`() {
        let nested = motherboard.makeInner()
        nested.probe(BoardID<Words>("guard"))
        let keeper = BoardID<Doorkeeper>("guard")
        motherboard.probe(keeper)
        motherboard.gateAll(by: keeper) { $0 ? .open : .closed }
        #expect(nested.activate(BoardID<Words>("guard"), with: "").state == .waiting)
    }

    @Test(.rule("B33")) func `a completed motherboard releases the captures of its general gate`() {
        weak var captured: Journal?
        var motherboard: Motherboard? = Motherboard()
        do {
            let capturing = Journal()
            captured = capturing
            motherboard?.gateAll(by: .doorkeeper) { _ in
                capturing.note("asked")
                return .open
            }
        }
        #expect(captured != nil)
        motherboard?.complete()
        #expect(captured == nil)
        motherboard = nil
    }
}
