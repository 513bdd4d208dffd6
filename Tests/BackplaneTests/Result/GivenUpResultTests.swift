import Backplane
import TestSupport
import Testing

/// A cancelled request throws `CancellationError`, wherever the cancellation starts.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GivenUpResultTests {
    let motherboard = Motherboard.onMain()
    let asked = Asked<Numbers>()
    let logins = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.first, notedIn: asked)
        motherboard.probe(.login, notedIn: logins)
    }

    private func ask(takingLast: Bool = false) -> Task<Int, any Error> {
        Task { try await motherboard.result(of: .first, with: 1, takingLast: takingLast) }
    }

    @Test(.rule("B65"), arguments: [false, true])
    func `a result of a cancelled board throws CancellationError`(takingLast: Bool) async {
        let caller = ask(takingLast: takingLast)
        let board = await asked.board(0)
        if takingLast { board.send(7) }
        board.complete(.cancelled)
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test(.rule("B65")) func `a board that is done without an output throws completedWithoutOutput`() async {
        let caller = ask()
        await asked.board(0).complete()
        let error = await #expect(throws: BoardError.self) { try await caller.value }
        #expect(error?.code == .completedWithoutOutput)
    }

    @Test(.rule("B65")) func `a completed motherboard cancels its pending results`() async {
        let caller = ask()
        _ = await asked.board(0)
        motherboard.complete()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test(.rule("B65")) func `a completed motherboard cancels the results waiting at a gate`() async {
        motherboard.gate(.first, by: .login) { _ in .open }
        let caller = ask()
        _ = await logins.board(0)
        motherboard.complete()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test(.rule("B65", "B54")) func `completing all boards cancels pending results, also at a gate`() async {
        let active = ask()
        _ = await asked.board(0)
        motherboard.gate(.first, by: .login) { _ in .open }
        let waiting = ask()
        _ = await logins.board(0)
        motherboard.completeAllBoards()
        await #expect(throws: CancellationError.self) { try await active.value }
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(.rule("B65")) func `a board that ends cancels the results requested inside`() async {
        var error: (any Error)?
        var work: Task<Void, Never>?
        motherboard.probe(.start) { board, _ in
            work = board.task {
                do { _ = try await board.inner.result(of: .first, with: 1) } catch let thrown { error = thrown }
            }
        }
        motherboard.activate(.start)
        _ = await asked.board(0)
        motherboard.complete(.start)
        await work?.value
        #expect(error is CancellationError)
    }

    @Test(.rule("B65")) func `a cancelled caller throws CancellationError and ends its board`() async {
        let caller = ask()
        let board = await asked.board(0)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(!board.slot.isLive)
    }

    @Test(.rule("B65")) func `an already cancelled caller makes no board`() async {
        let caller = ask()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B65")) func `a motherboard completed before the request throws ownerGone`() async {
        motherboard.complete()
        let error = await #expect(throws: BoardError.self) { try await ask().value }
        #expect(error?.code == .ownerGone)
    }

    @Test(.rule("B65")) func `a motherboard released during a request throws ownerGone`() async {
        let asked = Asked<Numbers>()
        var motherboard: Motherboard? = Motherboard()
        motherboard?.probe(.first, notedIn: asked)
        let outputs = motherboard?.outputs(of: .first, with: 1)
        motherboard = nil
        var iterator = outputs?.makeAsyncIterator()
        let error = await #expect(throws: BoardError.self) { _ = try await iterator?.next() }
        #expect(error?.code == .ownerGone)
    }
}
