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

    /// Activates a board and returns its nested motherboard.
    private func makeNested() throws -> Motherboard {
        let id = BoardID<Doorkeeper>("container")
        var nested: Motherboard?
        motherboard.probe(id) { board, _ in nested = board.inner }
        motherboard.activate(id)
        return try #require(nested)
    }

    // MARK: One general gate

    @Test(.rule("B31")) func `a general gate is in front of every board`() {
        gateAll()
        let activations = [motherboard.activate(.first, with: 1), motherboard.activate(.second, with: 2)]
        #expect(activations.map(\.state) == [.waiting, .waiting])
        #expect(motherboard.activate(.words, with: "").state == .waiting)
        doorkeeper.boards[0].send(true)
        #expect(activations.map(\.state) == [.active, .active])
        #expect(journal.lines == ["first 1", "second 2"])
    }

    @Test(.rule("B31")) func `a general gate that does not open denies the activation`() {
        gateAll()
        let activation = motherboard.activate(.first, with: 1)
        doorkeeper.boards[0].send(false)
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, .closed)))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B31")) func `a general gate can except several boards`() {
        motherboard.gateAll(by: .doorkeeper, except: .first, .words) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .active)
        #expect(motherboard.activate(.words, with: "").state == .active)
        #expect(motherboard.activate(.second, with: 1).state == .waiting)
    }

    @Test(.rule("B31")) func `a general gate is never in front of its own gate board, nested or not`() throws {
        let nested = try makeNested()
        gateAll()
        #expect(motherboard.activate(.doorkeeper).state == .active)
        #expect(nested.activate(.doorkeeper).state == .active)
        #expect(doorkeeper.boards.count == 2)
    }

    @Test(.rule("B31")) func `a general gate can take input and is asked once for all waiting activations`() {
        let asked = Asked<Numbers>()
        motherboard.register(.third, replacing: true) { slot in ProbeBoard(slot: slot) { asked.note($0, $1) } }
        motherboard.gateAll(by: .third, with: 18, except: .words) { $0 > 0 ? .open : .closed }
        let activations = [motherboard.activate(.first, with: 1), motherboard.activate(.second, with: 2)]
        #expect(asked.inputs == [18])
        #expect(motherboard.activate(.words, with: "").state == .active)
        asked.boards[0].send(1)
        #expect(activations.map(\.state) == [.active, .active])
        #expect(motherboard.activate(.third, with: 7).state == .active)
    }

    @Test(.rule("B31")) func `a general gate applies to the next activation of a live board`() throws {
        #expect(motherboard.activate(.first, with: 1).state == .active)
        let nested = try makeNested()
        #expect(nested.activate(.first, with: 2).state == .active)
        gateAll()
        #expect(motherboard.activate(.first, with: 3).state == .waiting)
        #expect(nested.activate(.first, with: 4).state == .waiting)
        #expect(journal.lines == ["first 1", "first 2"])
    }

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

    @Test(.rule("B31"))
    func `a replacing gate takes the position of the old gate, also for nested motherboards`() throws {
        let nested = try makeNested()
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        motherboard.gate(.first, by: .doorkeeper, replacing: true) { $0 ? .closed : .open }
        let activation = nested.activate(.first, with: 1)
        #expect(figures.boards.isEmpty)
        doorkeeper.boards[0].send(false)
        figures.boards[0].send(1)
        #expect(activation.state == .active)
    }

    @Test(.rule("B31")) func `a gate board can ask several questions in front of the same board`() {
        motherboard.gate(.first, by: .figures, with: 1) { _ in .open }
        motherboard.gate(.first, by: .figures, with: 2) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        figures.boards[0].send(1)
        figures.boards[1].send(1)
        #expect(figures.inputs == [1, 2])
        #expect(activation.state == .active)
    }

    @Test(.rule("B31")) func `a waiting activation is asked by a gate added later`() {
        gateAll()
        let activation = motherboard.activate(.first, with: 1)
        motherboard.gate(.first, by: .figures, with: 0, unless: { false }, verdict: { $0 == 1 ? .open : .closed })
        doorkeeper.boards[0].send(true)
        #expect(activation.state == .waiting)
        doorkeeper.boards[1].send(true)
        figures.boards[0].send(2)
        #expect(activation.state == .denied(Denial(of: .first, by: .figures, .closed)))
    }

    @Test(.rule("B31")) func `a general gate is not asked for an unregistered board`() {
        gateAll()
        #expect(motherboard.activate(BoardID<Words>("nobody"), with: "").state == .noSuchBoard)
        #expect(doorkeeper.boards.isEmpty)
    }

    @Test(.rule("B31")) func `the next board of a flow waits at a general gate, live or not`() {
        motherboard.register(.second, replacing: true) { slot in ProbeBoard(slot: slot) { $0.send($1) } }
        motherboard.registerFlowSteps(.second ->>> .first)
        motherboard.activate(.second, with: 1)
        #expect(journal.lines == ["first 1"])
        motherboard.gateAll(by: .doorkeeper, except: .second) { _ in .open }
        motherboard.activate(.second, with: 2)
        motherboard.complete(.first)
        motherboard.activate(.second, with: 3)
        #expect(journal.lines == ["first 1"])
        doorkeeper.boards[1].send(true)
        #expect(journal.lines == ["first 1", "first 3"], "completing the live board cancelled the second wait")
    }

    @Test(.rule("B41")) func `a link waits at a general gate and then opens its target`() {
        gateAll()
        motherboard.allowLinks(schemes: ["myapp"], hosts: [])
        motherboard.registerLink("first/{n}", to: .first)
        #expect(motherboard.open("myapp://first/7") == .waiting)
        #expect(journal.lines.isEmpty)
        doorkeeper.boards[0].send(true)
        #expect(journal.lines == ["first 7"])
    }

    @Test(.rule("B31")) func `a result waits at a general gate`() async throws {
        motherboard.gateAll(by: .doorkeeper) { _ in .open }
        motherboard.register(.first, replacing: true) { slot in ProbeBoard(slot: slot) { $0.send($1 + 1) } }
        let answer = Task { try await motherboard.result(of: .first, with: 1) }
        await doorkeeper.board(0).send(true)
        #expect(try await answer.value == 2)
    }

    // MARK: Together with a board's own gates

    @Test(.rule("B31")) func `a board's own gate is asked after the general gate in any order of registration`() {
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        motherboard.gateAll(by: .doorkeeper, except: .figures) { $0 ? .open : .closed }
        let activation = motherboard.activate(.first, with: 1)
        #expect(figures.boards.isEmpty)
        doorkeeper.boards[0].send(true)
        #expect(activation.state == .waiting)
        figures.boards[0].send(1)
        #expect(activation.state == .active)
        #expect(journal.lines == ["first 1"])
    }

    @Test(.rule("B31")) func `a gate board waits at its own gates, and its denial denies the waiting activations`() {
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        motherboard.gate(.figures, by: .doorkeeper) { $0 ? .open : .closed }
        let activations = [1, 2].map { motherboard.activate(.first, with: $0) }
        #expect(figures.boards.isEmpty)
        doorkeeper.boards[0].send(false)
        let inner = Denial(of: .figures, by: .doorkeeper, .closed)
        let denial = Denial(of: .first, by: .figures, .gateDenied(inner))
        #expect(activations.map(\.state) == [.denied(denial), .denied(denial)])
        #expect(
            denial.description
                == "Gate 'figures' did not open for board 'first': gateDenied(by gate 'doorkeeper': closed)."
        )
    }

    @Test(.rule("B31")) func `a board excepted from the general gate keeps its own gate`() {
        motherboard.gateAll(by: .doorkeeper, except: .first, .figures) { _ in .open }
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
    }

    @Test(.rule("B31"))
    func `general gates from the root inward come before a board's own gates of all levels`() throws {
        let nested = try makeNested()
        var innermost: Motherboard?
        nested.probe(BoardID<Doorkeeper>("inner container")) { board, _ in innermost = board.inner }
        nested.activate(BoardID<Doorkeeper>("inner container"))
        let gates = (1...4).map { BoardID<Figures>("gate \($0)") }
        for id in gates {
            motherboard.probe(id) { [journal] board, _ in
                journal.note(id.name)
                board.send(0)
            }
        }
        innermost?.gate(.first, by: gates[3], with: 0) { _ in .open }
        motherboard.gate(.first, by: gates[2], with: 0) { _ in .open }
        nested.registerFlow(from: .first) { _, _ in }
        innermost?.gateAll(by: gates[1], with: 0, except: gates[3]) { _ in .open }
        motherboard.gateAll(by: gates[0], with: 0, except: gates[1], gates[2], gates[3]) { _ in .open }
        innermost?.activate(.first, with: 1)
        #expect(journal.lines == ["gate 1", "gate 2", "gate 3", "gate 4", "first 1"])
    }

    // MARK: Nested motherboards

    @Test(.rule("B48")) func `a nested motherboard inherits a general gate and shares its gate run`() throws {
        let nested = try makeNested()
        gateAll()
        let inside = nested.activate(.first, with: 1)
        let outside = motherboard.activate(.first, with: 2)
        #expect(doorkeeper.boards.count == 1)
        doorkeeper.boards[0].send(true)
        #expect(inside.state == .active)
        #expect(outside.state == .active)
    }

    @Test(.rule("B48")) func `a nested motherboard cannot replace the gate board of an inherited gate`() throws {
        let nested = try makeNested()
        gateAll()
        nested.register(.doorkeeper) { slot in ProbeBoard(slot: slot) { board, _ in board.send(true) } }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
    }

    @Test(.rule("B31")) func `a general gate applies to boards registered only on a nested motherboard`() throws {
        let nested = try makeNested()
        gateAll()
        nested.probe(BoardID<Words>("local"))
        #expect(nested.activate(BoardID<Words>("local"), with: "").state == .waiting)
    }

    @Test(.rule("B31"))
    func `a general gate of a nested motherboard is asked only there and after the outer gate`() throws {
        let nested = try makeNested()
        gateAll()
        nested.gateAll(by: .figures, with: 0, except: .second) { _ in .open }
        let both = nested.activate(.first, with: 1)
        let excepted = nested.activate(.second, with: 2)
        let outside = motherboard.activate(.third, with: 3)
        doorkeeper.boards[0].send(true)
        #expect(excepted.state == .active)
        #expect(outside.state == .active)
        #expect(both.state == .waiting)
        doorkeeper.boards[1].send(true)
        figures.boards[0].send(1)
        #expect(both.state == .active)
    }

    @Test(.rule("B31")) func `an exception of an outer general gate does not apply to an inner general gate`() throws {
        let nested = try makeNested()
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        nested.gateAll(by: .figures, with: 0) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(motherboard.activate(.first, with: 1).state == .active)
    }

    @Test(.rule("B31")) func `a board excepted from all general gates is behind no gate`() throws {
        let nested = try makeNested()
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        nested.gateAll(by: .figures, with: 0, except: .first) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .active)
    }

    // MARK: Registering again

    @Test(.rule("B31")) func `a board registered again stays behind the gate and uses the new registration`() throws {
        let nested = try makeNested()
        gateAll()
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(nested.activate(.first, with: 1).state == .waiting)
        motherboard.register(.first, replacing: true) { [journal] slot in
            ProbeBoard(slot: slot) { journal.note("anew \($1)") }
        }
        doorkeeper.boards[0].send(true)
        #expect(journal.lines == ["anew 1", "anew 1"])
    }

    @Test(.rule("B31", "B75")) func `an exception exempts no board of another contract that has its name`() throws {
        let nested = try makeNested()
        let (words, figures) = (BoardID<Words>("help"), BoardID<Figures>("help"))
        nested.probe(words)
        motherboard.gateAll(by: .doorkeeper, except: figures) { $0 ? .open : .closed }
        motherboard.probe(figures)
        #expect(motherboard.activate(figures, with: 1).state == .active)
        #expect(nested.activate(words, with: "").state == .waiting)
    }

    @Test(.rule("B31", "B75")) func `a board that has the name of a gate board of another contract is gated`() throws {
        let nested = try makeNested()
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
