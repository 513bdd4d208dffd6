import Backplane
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

    @Test func `B31: a general gate is in front of every board`() {
        gateAll()
        let activations = [motherboard.activate(.first, with: 1), motherboard.activate(.second, with: 2)]
        #expect(activations.map(\.state) == [.waiting, .waiting])
        #expect(motherboard.activate(.words, with: "").state == .waiting)
        doorkeeper.boards[0].send(true)
        #expect(activations.map(\.state) == [.active, .active])
        #expect(journal.lines == ["first 1", "second 2"])
    }

    @Test func `B31: a general gate that does not open denies`() {
        gateAll()
        let activation = motherboard.activate(.first, with: 1)
        doorkeeper.boards[0].send(false)
        #expect(activation.state == .denied(Denial(gate: AnyBoardID(.doorkeeper), reason: .closed)))
        #expect(journal.lines.isEmpty)
    }

    @Test func `B31: several boards may be excepted`() {
        motherboard.gateAll(by: .doorkeeper, except: .first, .words) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .active)
        #expect(motherboard.activate(.words, with: "").state == .active)
        #expect(motherboard.activate(.second, with: 1).state == .waiting)
    }

    @Test func `B31: the gate is never in front of itself, here or in a nested motherboard`() throws {
        let nested = try makeNested()
        gateAll()
        #expect(motherboard.activate(.doorkeeper).state == .active)
        #expect(nested.activate(.doorkeeper).state == .active)
        #expect(doorkeeper.boards.count == 2)
    }

    @Test func `B31: a general gate may need input, and is asked once for all who wait`() {
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

    @Test func `B31: a board that is live already is behind it from its next activation on`() throws {
        #expect(motherboard.activate(.first, with: 1).state == .active)
        let nested = try makeNested()
        #expect(nested.activate(.first, with: 2).state == .active)
        gateAll()
        #expect(motherboard.activate(.first, with: 3).state == .waiting)
        #expect(nested.activate(.first, with: 4).state == .waiting)
        #expect(journal.lines == ["first 1", "first 2"])
    }

    @Test func `B31: a second general gate replaces the first, for boards activated before too`() {
        gateAll()
        motherboard.activate(.first, with: 1)
        doorkeeper.boards[0].send(true)
        motherboard.gateAll(by: .figures, with: 0, except: .second) { _ in .open }
        #expect(motherboard.activate(.first, with: 2).state == .waiting)
        #expect(figures.boards.count == 1)
        #expect(doorkeeper.boards.count == 1, "the first gate is not asked again")
        #expect(motherboard.activate(.second, with: 3).state == .active)
        #expect(motherboard.activate(.doorkeeper).state == .waiting, "it is no gate any more")
    }

    @Test func `B8: a gate set outside in place of another is in force inside, where the first was already`() throws {
        let nested = try makeNested()
        motherboard.gate(.first, by: .doorkeeper) { _ in .open }
        nested.activate(.first, with: 1)
        doorkeeper.boards[0].send(true)
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        #expect(nested.activate(.first, with: 2).state == .waiting)
        #expect(figures.boards.count == 1)
        #expect(doorkeeper.boards.count == 1, "the first gate is not asked again")
    }

    @Test func `B31: an unknown board is unknown, and the gate is not asked`() {
        gateAll()
        #expect(motherboard.activate(BoardID<Words>("nobody"), with: "").state == .noSuchBoard)
        #expect(doorkeeper.boards.isEmpty)
    }

    @Test func `B31: the next board of a flow waits at it, be it live or not`() {
        motherboard.register(.second, replacing: true) { slot in ProbeBoard(slot: slot) { $0.send($1) } }
        motherboard.registerFlowSteps(.second ->>> .first)
        motherboard.activate(.second, with: 1)
        #expect(journal.lines == ["first 1"])
        motherboard.gateAll(by: .doorkeeper, except: .second) { _ in .open }
        motherboard.activate(.second, with: 2)
        motherboard.complete(.first)
        motherboard.activate(.second, with: 3)
        #expect(journal.lines == ["first 1"])
        doorkeeper.boards[0].send(true)
        #expect(journal.lines == ["first 1", "first 2", "first 3"])
    }

    @Test func `B41: a link waits at it and then proceeds to its target`() {
        gateAll()
        motherboard.allowLinks(schemes: ["myapp"], hosts: [])
        motherboard.registerLink("first/{n}", to: .first)
        #expect(motherboard.open("myapp://first/7") == .waiting)
        #expect(journal.lines.isEmpty)
        doorkeeper.boards[0].send(true)
        #expect(journal.lines == ["first 7"])
    }

    @Test func `B31: a result waits at it`() async throws {
        motherboard.gateAll(by: .doorkeeper) { _ in .open }
        motherboard.register(.first, replacing: true) { slot in ProbeBoard(slot: slot) { $0.send($1 + 1) } }
        let answer = Task { try await motherboard.result(of: .first, with: 1) }
        await doorkeeper.board(0).send(true)
        #expect(try await answer.value == 2)
    }

    // MARK: Beside gates of a board's own

    @Test func `B31: a gate of a board's own is in force instead`() {
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        gateAll()
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
        #expect(motherboard.activate(.second, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
    }

    @Test func `B31: a board used as a gate is not gated, while it is one`() {
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        gateAll()
        let activation = motherboard.activate(.first, with: 1)
        #expect(figures.boards.count == 1)
        figures.boards[0].send(1)
        #expect(activation.state == .active)
        #expect(doorkeeper.boards.isEmpty)
        #expect(motherboard.activate(.figures, with: 1).state == .waiting, "by itself it is a board like any other")
    }

    @Test func `B31: a board excepted from the general gate still has its own`() {
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
    }

    @Test func `B31: a board's own gate further out is in force instead of a general one further in`() throws {
        let nested = try makeNested()
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        nested.gateAll(by: .doorkeeper) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
        #expect(nested.activate(.second, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
    }

    @Test func `B31: a board's own gate is found two levels out, past a level that has none`() throws {
        let nested = try makeNested()
        var innermost: Motherboard?
        nested.probe(BoardID<Doorkeeper>("inner container")) { board, _ in innermost = board.inner }
        nested.activate(BoardID<Doorkeeper>("inner container"))
        motherboard.gate(.first, by: .figures, with: 0) { _ in .open }
        nested.registerFlow(from: .first) { _, _ in }
        innermost?.gateAll(by: .doorkeeper) { _ in .open }
        #expect(innermost?.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
    }

    // MARK: Nested motherboards

    @Test func `B31: nested motherboards inherit it, and run it themselves`() throws {
        let nested = try makeNested()
        gateAll()
        let inside = nested.activate(.first, with: 1)
        let outside = motherboard.activate(.first, with: 2)
        #expect(doorkeeper.boards.count == 2)
        doorkeeper.boards[0].send(true)
        #expect(inside.state == .active)
        #expect(outside.state == .waiting)
    }

    @Test func `B31: it stands before boards that only the nested motherboard knows`() throws {
        let nested = try makeNested()
        gateAll()
        nested.probe(BoardID<Words>("local"))
        #expect(nested.activate(BoardID<Words>("local"), with: "").state == .waiting)
    }

    @Test func `B31: of general gates the nearest is in force, and only inside`() throws {
        let nested = try makeNested()
        gateAll()
        nested.gateAll(by: .figures, with: 0) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.isEmpty)
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
    }

    @Test func `B31: a board that the nearest general gate excepts is behind the next`() throws {
        let nested = try makeNested()
        gateAll()
        nested.gateAll(by: .figures, with: 0, except: .first) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
        #expect(nested.activate(.second, with: 1).state == .waiting)
        #expect(doorkeeper.boards.count == 1)
    }

    @Test func `B31: an exception further out does not help before a gate further in`() throws {
        let nested = try makeNested()
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        nested.gateAll(by: .figures, with: 0) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .waiting)
        #expect(motherboard.activate(.first, with: 1).state == .active)
    }

    @Test func `B31: excepted everywhere, a board is behind none`() throws {
        let nested = try makeNested()
        motherboard.gateAll(by: .doorkeeper, except: .first) { _ in .open }
        nested.gateAll(by: .figures, with: 0, except: .first) { _ in .open }
        #expect(nested.activate(.first, with: 1).state == .active)
    }

    // MARK: Registering anew

    @Test func `B31: a board registered anew is behind it as before, and made as it is now`() throws {
        let nested = try makeNested()
        gateAll()
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(nested.activate(.first, with: 1).state == .waiting)
        motherboard.register(.first, replacing: true) { [journal] slot in
            ProbeBoard(slot: slot) { journal.note("anew \($1)") }
        }
        doorkeeper.boards[0].send(true)
        doorkeeper.boards[1].send(true)
        #expect(journal.lines == ["anew 1", "anew 1"])
    }

    @Test func `B33: the general gate of a motherboard that goes lets go of what it captured`() {
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
