import Backplane
import TestSupport
import Testing

@MainActor @Suite(.rule("B12"), .timeLimit(.minutes(5)))
struct GatedResultTests {
    let motherboard = Motherboard.onMain()
    let asked = Asked<Numbers>()
    let doorkeeper = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.first, notedIn: asked)
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
    }

    private func ask(_ input: Int = 1) -> Task<Int, any Error> {
        Task { try await motherboard.result(of: .first, with: input) }
    }

    @Test func `a board behind a gate is made when the gate opens, is private and sends its result`() async throws {
        let shared = motherboard.activate(.first, with: 0)
        await doorkeeper.board(0).send(true)
        let caller = ask(7)
        let gate = await doorkeeper.board(1)
        #expect(asked.inputs == [0])
        gate.send(true)
        #expect(asked.inputs == [0, 7])
        asked.boards[1].send(8)
        #expect(try await caller.value == 8)
        #expect(!asked.boards[1].slot.isLive)
        #expect(shared.state == .active)
    }

    @Test func `a gate that does not open denies the result and makes no board`() async {
        let caller = ask()
        await doorkeeper.board(0).send(false)
        let error = await #expect(throws: BoardError.self) { try await caller.value }
        #expect(error?.code == .denied)
        #expect(error?.denial == Denial(of: .first, by: .doorkeeper, .closed))
        #expect(
            error?.description == """
                denied: Gate 'doorkeeper' did not open for board 'first': closed. Tell the user why, or let them try again.
                """
        )
        #expect(asked.boards.isEmpty)
    }

    @Test func `an unregistered gate denies the result`() async {
        motherboard.probe(.second)
        motherboard.gate(.second, by: BoardID<Doorkeeper>("nobody")) { _ in .open }
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: .second, with: 1) }
        #expect(error?.denial?.reason == .noSuchGate)
    }

    @Test(.rule("B65", "B54"), arguments: 0...2)
    func `a result at a gate throws CancellationError if its wait is cancelled`(end: Int) async {
        let caller = ask()
        let gate = await doorkeeper.board(0)
        switch end {
        case 0: motherboard.complete()
        case 1: motherboard.completeAllBoards()
        default: caller.cancel()
        }
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(!gate.slot.isLive, "the gate board was activated for that caller only")
        gate.send(true)
        #expect(asked.boards.isEmpty)
    }

    @Test func `a gate that opens on a completed motherboard makes no board for a result`() async {
        motherboard.registerFlow(from: .doorkeeper) { _, motherboard in motherboard.complete() }
        let caller = ask()
        await doorkeeper.board(0).send(true)
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(asked.boards.isEmpty)
    }
}
