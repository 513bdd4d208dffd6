import Backplane
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct GatedResultTests {
    let motherboard = Motherboard.onMain()
    let asked = Asked<Numbers>()
    let doorkeeper = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.first, notedIn: asked)
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
    }

    private func ask(_ input: Int) -> Task<Int, any Error> {
        Task { try await motherboard.result(of: .first, with: input) }
    }

    private func denial(_ reason: Denial.Reason) -> Denial {
        Denial(of: .first, by: .doorkeeper, reason)
    }

    @Test(.rule("B12"))
    func `a board behind a gate is made when the gate opens and then sends its result`() async throws {
        let answer = ask(7)
        let gate = await doorkeeper.board(0)
        #expect(asked.boards.isEmpty)
        gate.send(true)
        #expect(asked.inputs == [7])
        asked.boards[0].send(8)
        #expect(try await answer.value == 8)
        #expect(!asked.boards[0].slot.isLive)
    }

    @Test(.rule("B12")) func `the board made behind a gate is private`() async throws {
        let shared = motherboard.activate(.first, with: 0)
        await doorkeeper.board(0).send(true)
        let answer = ask(1)
        await doorkeeper.board(1).send(true)
        #expect(shared.state == .active)
        asked.boards[1].send(1)
        #expect(try await answer.value == 1)
        #expect(shared.state == .active)
    }

    @Test(.rule("B12")) func `a gate that does not open denies the result and makes no board`() async {
        let answer = ask(7)
        await doorkeeper.board(0).send(false)
        let error = await #expect(throws: BoardError.self) { try await answer.value }
        #expect(error?.code == .denied)
        #expect(error?.denial == denial(.closed))
        #expect(error?.board == AnyBoardID(BoardID.first))
        #expect(
            error?.description == """
                denied: Gate 'doorkeeper' did not open for board 'first': closed. Tell the user why, or let them try again.
                """
        )
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B12")) func `an unregistered gate denies the result`() async {
        motherboard.probe(.second)
        motherboard.gate(.second, by: BoardID<Doorkeeper>("nobody")) { _ in .open }
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: .second, with: 1) }
        #expect(error?.code == .denied)
        #expect(error?.denial?.reason == .noSuchGate)
    }

    @Test(.rule("B65"))
    func `a result waiting at a gate throws CancellationError if the motherboard completes`() async {
        let answer = ask(1)
        _ = await doorkeeper.board(0)
        motherboard.complete()
        await #expect(throws: CancellationError.self) { try await answer.value }
    }

    @Test(.rule("B12")) func `cancelling a caller at a gate ends the wait and the gate board`() async {
        let answer = ask(1)
        let gate = await doorkeeper.board(0)
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(!gate.slot.isLive, "the gate board was activated for that caller only")
        gate.send(true)
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B12")) func `cancelling a caller behind an open gate completes the board as cancelled`() async {
        let record = motherboard.observeEvents()
        let answer = ask(1)
        await doorkeeper.board(0).send(true)
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(!asked.boards[0].slot.isLive)
        #expect(record.events.filter { $0.kind == .completed }.map(\.message) == ["Completed: cancelled."])
    }

    @Test(.rule("B12")) func `a gate that opens on a completed motherboard makes no board for a result`() async {
        motherboard.registerFlow(from: .doorkeeper) { _, motherboard in motherboard.complete() }
        let answer = ask(1)
        await doorkeeper.board(0).send(true)
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(asked.boards.isEmpty)
    }
}
