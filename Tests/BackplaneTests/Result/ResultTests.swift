import Backplane
import TestSupport
import Testing

@MainActor @Suite(.rule("B12"), .timeLimit(.minutes(5)))
struct ResultTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let asked = Asked<Numbers>()

    init() {
        motherboard.probe(.first, notedIn: asked)
    }

    private func ask(_ input: Int = 1, takingLast: Bool = false) -> Task<Int, any Error> {
        Task { try await motherboard.result(of: .first, with: input, takingLast: takingLast) }
    }

    // MARK: The result

    @Test func `the first output is the result and completes the board as done`() async throws {
        let record = motherboard.observeEvents()
        let caller = ask(7)
        let board = await asked.board(0)
        #expect(asked.inputs == [7])
        board.send(1)
        board.send(2)
        #expect(try await caller.value == 1)
        #expect(!board.slot.isLive)
        #expect(record.events.filter { $0.kind == .completed }.map(\.message) == ["Completed: done."])
    }

    @Test func `an output sent during the activation is the result, even if the board then ends`() async throws {
        motherboard.probe(.second) { board, input in
            board.send(input + 1)
            board.send(input + 2)
            board.complete(.cancelled)
        }
        #expect(try await motherboard.result(of: .second, with: 1) == 2)
    }

    @Test func `a result of a board without input needs no input argument`() async throws {
        motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
        #expect(try await motherboard.result(of: .doorkeeper))
    }

    @Test func `an output from before the end of the motherboard or caller is the result`() async throws {
        let cancelled = ask()
        await asked.board(0).send(3)
        cancelled.cancel()
        #expect(try await cancelled.value == 3)
        #expect(!asked.boards[0].slot.isLive)
        let caller = ask()
        await asked.board(1).send(4)
        motherboard.complete()
        #expect(try await caller.value == 4)
    }

    // MARK: Privacy

    @Test func `each caller has its own board, and an activation of the ID does not use it or end it`() async throws {
        let shared = motherboard.activate(.first, with: 0)
        let callers = [ask(1), ask(2), ask(3)]
        _ = await asked.board(3)
        #expect(motherboard.activate(.first, with: 4).state == .active)
        #expect(shared.state == .superseded)
        #expect(Set(asked.boards.map { ObjectIdentifier($0) }).count == 4)
        for index in (1...3).reversed() { asked.boards[index].send(asked.inputs[index] * 10) }
        for (caller, expected) in zip(callers, [10, 20, 30]) { #expect(try await caller.value == expected) }
        #expect(motherboard.isLive(.first))
    }

    @Test func `the output and the completion of a private board reach no flow`() async throws {
        motherboard.noteOutputs(of: .first, in: journal)
        motherboard.noteCompletions(of: .first, in: journal)
        let record = motherboard.observeEvents()
        let caller = ask()
        await asked.board(0).send(1)
        _ = try await caller.value
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.output) == ["first"])
        #expect(record.boards(.unhandledOutput).isEmpty)
    }

    @Test func `commands to the ID do not reach a private board`() async throws {
        let caller = ask()
        let board = await asked.board(0)
        board.onCommand = { [journal] _, command in journal.note("got \(command)") }
        #expect(motherboard.send(5, to: .first) == .notLive)
        motherboard.activate(.first, with: 2)
        #expect(motherboard.send(6, to: .first) == .delivered(1))
        #expect(journal.lines.isEmpty)
        board.send(1)
        _ = try await caller.value
    }

    // MARK: Errors

    /// A request, with the board that was made for it.
    struct Request {
        let motherboard: Motherboard
        let board: ProbeBoard<Numbers>
        let caller: Task<Int, any Error>
    }

    /// The end of a request without a result, and the error that its caller receives.
    struct Ending: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: String
        let takingLast: Bool
        let end: @MainActor @Sendable (Request) -> Void

        init(
            _ name: String,
            error: String,
            takingLast: Bool = false,
            end: @escaping @MainActor @Sendable (Request) -> Void
        ) {
            (testDescription, self.error, self.takingLast, self.end) = (name, error, takingLast, end)
        }
    }

    @Test(.rule("B12")) func `a board without outputs has no result and is not activated`() async {
        motherboard.probe(.mute)
        // Generic, because the compiler knows that code behind a `Never` is not reached.
        func error<Contract>(of id: BoardID<Contract>, with input: Contract.Input) async -> BoardError? {
            do {
                _ = try await motherboard.result(of: id, with: input)
                return nil
            } catch {
                return error as? BoardError
            }
        }
        #expect(
            await error(of: .mute, with: 1)?.description
                == "completedWithoutOutput: Board 'mute' has no result, because its Output is Never. Activate it instead: "
                + "activate(_:with:)."
        )
        #expect(await error(of: .silent, with: ())?.code == .completedWithoutOutput)
        #expect(!motherboard.isLive(.mute))
    }

    nonisolated static let endings = [
        Ending("the board is cancelled", error: "CancellationError()") { $0.board.complete(.cancelled) },
        Ending("the board is cancelled after an output", error: "CancellationError()", takingLast: true) {
            $0.board.send(7)
            $0.board.complete(.cancelled)
        },
        Ending("the board is done", error: "completedWithoutOutput") { $0.board.complete() },
        Ending("the board fails", error: "Oops()") { $0.board.complete(.failed(Oops())) },
        Ending("the ID completes", error: "completedWithoutOutput") { $0.motherboard.complete(.first) },
        Ending("all boards complete", error: "CancellationError()") { $0.motherboard.completeAllBoards() },
        Ending("the motherboard completes", error: "CancellationError()") { $0.motherboard.complete() },
        Ending("the caller is cancelled", error: "CancellationError()") { $0.caller.cancel() },
    ]

    @Test(.rule("B65", "B54"), arguments: endings)
    func `a caller whose board ends without a result receives an error`(ending: Ending) async {
        let caller = ask(takingLast: ending.takingLast)
        let board = await asked.board(0)
        ending.end(Request(motherboard: motherboard, board: board, caller: caller))
        let error = await #expect(throws: (any Error).self) { try await caller.value }
        #expect(error.map { ($0 as? BoardError)?.code.description ?? "\($0)" } == ending.error)
        #expect(!board.slot.isLive)
    }

    @Test(.rule("B65")) func `an already cancelled caller makes no board`() async {
        let caller = ask()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B65")) func `when a board ends, the results requested inside it are cancelled`() async {
        let outer = motherboard.enter(.start, with: ())
        let caller = Task { try await outer.inner.result(of: .first, with: 1) }
        _ = await asked.board(0)
        outer.complete()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test(.rule("B65")) func `if there is no such board, the error has its name and a remedy`() async {
        let record = motherboard.observeEvents()
        let unknown = await #expect(throws: BoardError.self) { try await motherboard.result(of: .third, with: 1) }
        #expect(unknown?.code == .noSuchBoard)
        #expect(unknown?.board == AnyBoardID(BoardID.third))
        #expect(
            unknown?.description
                == """
                noSuchBoard: No board is registered as 'third'. Register it, or install its module, on this motherboard or an \
                ancestor; if it is inside a scope, declare it with declare(_:inside:).
                """
        )
        #expect(record.boards(.noSuchBoard) == ["third"])
        motherboard.register(.second) { slot in
            slot.complete()
            return ProbeBoard(slot: slot)
        }
        let mute = await #expect(throws: BoardError.self) { try await motherboard.result(of: .second, with: 1) }
        #expect(mute?.code == .completedWithoutOutput)
        #expect(mute?.denial == nil)
        #expect(
            mute?.description
                == """
                completedWithoutOutput: Board 'second' completed as done without an output. Let it send one before it \
                completes, or complete it as cancelled.
                """
        )
        motherboard.complete()
        let late = await #expect(throws: BoardError.self) { try await ask().value }
        #expect(late?.code == .ownerGone)
        #expect(
            late?.description
                == """
                ownerGone: The motherboard of board 'first' has completed or is gone; start the work from something that \
                outlives it.
                """
        )
        #expect(asked.boards.isEmpty)
    }

    @Test(.rule("B65")) func `a parent motherboard released before the result throws ownerGone`() async {
        var root: Motherboard? = Motherboard()
        root?.probe(.first, notedIn: asked)
        let inner = root?.makeInner()
        let caller = Task { try await inner?.result(of: .first, with: 1) }
        _ = await asked.board(0)
        root = nil
        #expect(await boardError { try await caller.value } == .ownerGone)
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
