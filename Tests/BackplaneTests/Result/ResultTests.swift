import Backplane
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ResultTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let asked = Asked<Numbers>()

    init() {
        motherboard.probe(.first, notedIn: asked)
    }

    private func ask(_ input: Int) -> Task<Int, any Error> {
        Task { try await motherboard.result(of: .first, with: input) }
    }

    // MARK: The result

    @Test(.rule("B12")) func `the first output is the result and completes the board as done`() async throws {
        let record = motherboard.observeEvents()
        let answer = ask(7)
        let board = await asked.board(0)
        #expect(asked.inputs == [7])
        board.send(1)
        board.send(2)
        #expect(try await answer.value == 1)
        #expect(!board.slot.isLive)
        #expect(record.events.filter { $0.kind == .completed }.map(\.message) == ["Completed: done."])
    }

    @Test(.rule("B12"))
    func `an output sent during the activation is the result, even if the board then ends`() async throws {
        motherboard.probe(.second) { board, input in
            board.send(input + 1)
            board.send(input + 2)
            board.complete(.cancelled)
        }
        #expect(try await motherboard.result(of: .second, with: 1) == 2)
    }

    @Test(.rule("B12")) func `a result of a board without input needs no input argument`() async throws {
        motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
        #expect(try await motherboard.result(of: .doorkeeper))
    }

    @Test(.rule("B12")) func `concurrent callers of the same ID each get their own result`() async throws {
        let answers = [ask(1), ask(2), ask(3)]
        _ = await asked.board(2)
        for (board, input) in zip(asked.boards, asked.inputs).reversed() { board.send(input * 10) }
        for (answer, expected) in zip(answers, [10, 20, 30]) { #expect(try await answer.value == expected) }
    }

    // MARK: Privacy

    @Test(.rule("B12")) func `a result makes its own board and leaves a live board unchanged`() async throws {
        let shared = motherboard.activate(.first, with: 0)
        let answer = ask(1)
        let board = await asked.board(1)
        #expect(asked.boards[0] !== board)
        #expect(shared.state == .active)
        board.send(1)
        _ = try await answer.value
        #expect(shared.state == .active)
    }

    @Test(.rule("B12")) func `activating the same ID during a request makes a separate board`() async throws {
        let answer = ask(1)
        let board = await asked.board(0)
        #expect(motherboard.activate(.first, with: 2).state == .active)
        #expect(asked.boards.count == 2)
        board.send(1)
        #expect(try await answer.value == 1)
        #expect(asked.boards[1].slot.isLive)
    }

    @Test(.rule("B12")) func `the output and the completion of a private board reach no flow`() async throws {
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("output") }
        motherboard.registerCompletionFlow(.first) { [journal] _, _ in journal.note("end") }
        let record = motherboard.observeEvents()
        let answer = ask(1)
        await asked.board(0).send(1)
        _ = try await answer.value
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.output) == ["first"])
        #expect(record.boards(.unhandledOutput).isEmpty)
        motherboard.activate(.first, with: 0)
        asked.boards[1].send(1)
        motherboard.complete(.first)
        #expect(journal.lines == ["output", "end"])
    }

    @Test(.rule("B12")) func `commands to the ID do not reach a private board`() async throws {
        motherboard.register(.first, replacing: true) { [asked, journal] slot in
            ProbeBoard(slot: slot) {
                asked.note($0, $1)
            } onCommand: {
                journal.note("\(asked.inputs) got \($1)")
            }
        }
        let answer = ask(1)
        let board = await asked.board(0)
        #expect(motherboard.send(5, to: .first) == .notLive)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.first, with: 2)
        #expect(motherboard.send(6, to: .first) == .delivered(1))
        #expect(journal.lines == ["[1, 2] got 6"])
        board.send(1)
        _ = try await answer.value
    }

    @Test(.rule("B12")) func `completing the ID also ends a private board`() async {
        let shared = motherboard.activate(.first, with: 0)
        let answer = ask(1)
        let board = await asked.board(1)
        motherboard.complete(.first)
        #expect(!board.slot.isLive)
        #expect(shared.state == .completed)
        let error = await #expect(throws: BoardError.self) { try await answer.value }
        #expect(error?.code == .completedWithoutOutput)
    }

    // MARK: Errors

    @Test(.rule("B65")) func `a cancelled board throws CancellationError`() async {
        let answer = ask(1)
        await asked.board(0).complete(.cancelled)
        await #expect(throws: CancellationError.self) { try await answer.value }
    }

    @Test(.rule("B12")) func `a board that is done without an output throws completedWithoutOutput`() async {
        let answer = ask(1)
        await asked.board(0).complete()
        let error = await #expect(throws: BoardError.self) { try await answer.value }
        #expect(error?.code == .completedWithoutOutput)
        #expect(error?.board == AnyBoardID(BoardID.first))
        #expect(error?.denial == nil)
        #expect(
            error?.description
                == """
                completedWithoutOutput: Board 'first' completed as done without an output. Let it send one before it \
                completes, or complete it as cancelled.
                """
        )
    }

    @Test(.rule("B12")) func `the error of a failed board is thrown`() async {
        let answer = ask(1)
        await asked.board(0).complete(.failed(Oops()))
        await #expect(throws: Oops.self) { try await answer.value }
    }

    @Test(.rule("B12")) func `a board that ends in its own initializer throws completedWithoutOutput`() async {
        motherboard.register(.second) { slot in
            slot.complete()
            return ProbeBoard(slot: slot)
        }
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: .second, with: 1) }
        #expect(error?.code == .completedWithoutOutput)
    }

    @Test(.rule("B12")) func `a board without outputs has no result and is not activated`() async {
        motherboard.probe(.mute)
        // Generic, because the compiler knows that code behind a `Never` is not reached.
        func error<Contract>(of id: BoardID<Contract>, with input: Contract.Input) async -> BoardError? {
            await #expect(throws: BoardError.self) { try await motherboard.result(of: id, with: input) }
        }
        #expect(
            await error(of: .mute, with: 1)?.description
                == "completedWithoutOutput: Board 'mute' has no result, because its Output is Never. Activate it instead: "
                + "activate(_:with:)."
        )
        #expect(await error(of: .silent, with: ())?.code == .completedWithoutOutput)
        #expect(!motherboard.isLive(.mute))
    }

    @Test(.rule("B12")) func `an unregistered board throws noSuchBoard`() async {
        let record = motherboard.observeEvents()
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: .third, with: 1) }
        #expect(error?.code == .noSuchBoard)
        #expect(error?.board == AnyBoardID(BoardID.third))
        #expect(
            error?.description
                == """
                noSuchBoard: No board is registered as 'third'. Register it, or install its module, on this motherboard or an \
                ancestor; if it is inside a scope, declare it with declare(_:inside:).
                """
        )
        #expect(record.boards(.noSuchBoard) == ["third"])
    }

    @Test(.rule("B12")) func `a completed motherboard throws ownerGone`() async {
        motherboard.complete()
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: .first, with: 1) }
        #expect(error?.code == .ownerGone)
        #expect(error?.board == AnyBoardID(BoardID.first))
        #expect(
            error?.description
                == """
                ownerGone: The motherboard of board 'first' has completed or is gone; start the work from something that \
                outlives it.
                """
        )
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B12")) func `a motherboard that completes before the result throws CancellationError`() async {
        let answer = ask(1)
        _ = await asked.board(0)
        motherboard.complete()
        await #expect(throws: CancellationError.self) { try await answer.value }
    }

    @Test(.rule("B12")) func `a parent motherboard released before the result throws ownerGone`() async {
        var root: Motherboard? = Motherboard()
        var inner: Motherboard?
        root?.probe(.first, notedIn: asked)
        root?.probe(.figures) { board, _ in inner = board.inner }
        root?.activate(.figures, with: 0)
        let answer = Task { [inner] in try await inner?.result(of: .first, with: 1) }
        _ = await asked.board(0)
        root = nil
        let error = await #expect(throws: BoardError.self) { try await answer.value }
        #expect(error?.code == .ownerGone)
    }

    @Test(.rule("B12")) func `an output sent before the motherboard completes is still the result`() async throws {
        let answer = ask(1)
        await asked.board(0).send(4)
        motherboard.complete()
        #expect(try await answer.value == 4)
    }

    // MARK: Cancellation

    @Test(.rule("B12")) func `cancelling the caller completes the board as cancelled`() async {
        let record = motherboard.observeEvents()
        let answer = ask(1)
        let board = await asked.board(0)
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(!board.slot.isLive)
        #expect(record.events.filter { $0.kind == .completed }.map(\.message) == ["Completed: cancelled."])
    }

    @Test(.rule("B12")) func `an already cancelled caller makes no board`() async {
        let answer = ask(1)
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B12")) func `an output sent before the cancellation is the result`() async throws {
        let answer = ask(1)
        let board = await asked.board(0)
        board.send(3)
        answer.cancel()
        #expect(try await answer.value == 3)
        #expect(!board.slot.isLive)
    }
}

private enum Mute: BoardContract { typealias Input = Int }

private enum Silent: BoardContract {}

extension BoardID<Mute> {
    fileprivate static var mute: Self { "mute" }
}

extension BoardID<Silent> {
    fileprivate static var silent: Self { "silent" }
}
