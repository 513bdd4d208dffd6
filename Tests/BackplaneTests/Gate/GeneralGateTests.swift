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

    /// The motherboard inside a board that stands before no gate.
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

    @Test(.rule("B31")) func `a general gate that does not open denies`() {
        gateAll()
        let activation = motherboard.activate(.first, with: 1)
        doorkeeper.boards[0].send(false)
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, .closed)))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B31")) func `several boards may be excepted`() {
        motherboard.gateAll(by: .doorkeeper, except: .first, .words) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .active)
        #expect(motherboard.activate(.words, with: "").state == .active)
        #expect(motherboard.activate(.second, with: 1).state == .waiting)
    }

    @Test(.rule("B31")) func `the gate is never in front of itself, here or in a nested motherboard`() throws {
        let nested = try makeNested()
        gateAll()
        #expect(motherboard.activate(.doorkeeper).state == .active)
        #expect(nested.activate(.doorkeeper).state == .active)
        #expect(doorkeeper.boards.count == 2)
    }

    @Test(.rule("B31")) func `a general gate may need input, and is asked once for all who wait`() {
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

    @Test(.rule("B31")) func `a board that is live already is behind it from its next activation on`() throws {
        #expect(motherboard.activate(.first, with: 1).state == .active)
        let nested = try makeNested()
        #expect(nested.activate(.first, with: 2).state == .active)
        gateAll()
        #expect(motherboard.activate(.first, with: 3).state == .waiting)
        #expect(nested.activate(.first, with: 4).state == .waiting)
        #expect(journal.lines == ["first 1", "first 2"])
    }

    @Test(.rule("B31")) func `two general gates are asked in the order of registration, and are no circle`() {
        gateAll()
        motherboard.gateAll(by: .figures, with: 0, except: .second) { _ in .open }
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.second, with: 2)
        #expect(figures.boards.isEmpty)
        doorkeeper.boards[0].send(true)
        #expect(second.state == .active)
        #expect(first.state == .waiting)
        #expect(figures.boards.isEmpty, "the second gate's board is itself behind the first gate")
        #expect(doorkeeper.boards.count == 2)
        doorkeeper.boards[1].send(true)
        figures.boards[0].send(1)
        #expect(first.state == .active)
        #expect(motherboard.activate(.doorkeeper).state == .active, "the first gate's board is not behind the second")
    }

    @Test(.rule("B31")) func `a gate that replaces another takes its place, inside too`() throws {
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

    @Test(.rule("B31")) func `one board may ask several questions before another`() {
        motherboard.gate(.first, by: .figures, with: 1) { _ in .open }
        motherboard.gate(.first, by: .figures, with: 2) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        figures.boards[0].send(1)
        figures.boards[1].send(1)
        #expect(figures.inputs == [1, 2])
        #expect(activation.state == .active)
    }

    @Test(.rule("B31")) func `who waits is asked by a gate that was added meanwhile`() {
        gateAll()
        let activation = motherboard.activate(.first, with: 1)
        motherboard.gate(.first, by: .figures, with: 0, unless: { false }, verdict: { $0 == 1 ? .open : .closed })
        doorkeeper.boards[0].send(true)
        #expect(activation.state == .waiting)
        doorkeeper.boards[1].send(true)
        figures.boards[0].send(2)
        #expect(activation.state == .denied(Denial(of: .first, by: .figures, .closed)))
    }

    @Test(.rule("B31")) func `an unknown board is unknown, and the gate is not asked`() {
        gateAll()
        #expect(motherboard.activate(BoardID<Words>("nobody"), with: "").state == .noSuchBoard)
        #expect(doorkeeper.boards.isEmpty)
    }

    @Test(.rule("B31")) func `the next board of a flow waits at it, be it live or not`() {
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
        #expect(journal.lines == ["first 1", "first 3"], "the second was given up with the board that was live")
    }

    @Test(.rule("B41")) func `a link waits at it and then proceeds to its target`() {
        gateAll()
        motherboard.allowLinks(schemes: ["myapp"], hosts: [])
        motherboard.registerLink("first/{n}", to: .first)
        #expect(motherboard.open("myapp://first/7") == .waiting)
        #expect(journal.lines.isEmpty)
        doorkeeper.boards[0].send(true)
        #expect(journal.lines == ["first 7"])
    }

    @Test(.rule("B31")) func `a result waits at it`() async throws {
        motherboard.gateAll(by: .doorkeeper) { _ in .open }
        motherboard.register(.first, replacing: true) { slot in ProbeBoard(slot: slot) { $0.send($1 + 1) } }
        let answer = Task { try await motherboard.result(of: .first, with: 1) }
        await doorkeeper.board(0).send(true)
        #expect(try await answer.value == 2)
    }

    // MARK: Beside gates of a board's own

    @Test(.rule("B31")) func `a gate of a board's own is asked after the general one, in whatever order they were set`()
    {
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

    @Test(.rule("B31")) func `a gate's board passes through the gates in front of it`() {
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

    @Test(.rule("B31")) func `a board excepted from the general gate still has its own`() {
        motherboard.gateAll(by: .doorkeeper, except: .first, .figures) { _ in .open }
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
    }

    @Test(.rule("B31")) func `general gates come first, from the root inward, then a board's own from all levels`()
        throws
    {
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

    @Test(.rule("B48")) func `nested motherboards inherit it, and wait in one run with those outside`() throws {
        let nested = try makeNested()
        gateAll()
        let inside = nested.activate(.first, with: 1)
        let outside = motherboard.activate(.first, with: 2)
        #expect(doorkeeper.boards.count == 1)
        doorkeeper.boards[0].send(true)
        #expect(inside.state == .active)
        #expect(outside.state == .active)
    }

    @Test(.rule("B48")) func `a nested motherboard cannot put another board in the gate's place`() throws {
        let nested = try makeNested()
        gateAll()
        nested.register(.doorkeeper) { slot in ProbeBoard(slot: slot) { board, _ in board.send(true) } }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
    }

    @Test(.rule("B31")) func `it stands before boards that only the nested motherboard knows`() throws {
        let nested = try makeNested()
        gateAll()
        nested.probe(BoardID<Words>("local"))
        #expect(nested.activate(BoardID<Words>("local"), with: "").state == .waiting)
    }

    @Test(.rule("B31")) func `a general gate set inside is asked there only, after the one outside`() throws {
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

    @Test(.rule("B31")) func `an exception further out does not help before a gate further in`() throws {
        let nested = try makeNested()
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        nested.gateAll(by: .figures, with: 0) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(motherboard.activate(.first, with: 1).state == .active)
    }

    @Test(.rule("B31")) func `excepted everywhere, a board is behind none`() throws {
        let nested = try makeNested()
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        nested.gateAll(by: .figures, with: 0, except: .first) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .active)
    }

    // MARK: Registering anew

    @Test(.rule("B31")) func `a board registered anew is behind it as before, and made as it is now`() throws {
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

    @Test(.rule("B33")) func `the general gate of a motherboard that goes lets go of what it captured`() {
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
