import Backplane
import TestSupport
import Testing

/// Results and outputs on an actor other than the main actor.
@Suite(.timeLimit(.minutes(5)))
struct ResultOnActorTests {
    private actor Desk {
        private lazy var motherboard = Motherboard(owner: self)
        private let journal = Journal()

        func open() {
            motherboard.register(.first, reuse: .perActivation) { slot in
                ProbeBoard(slot: slot) { board, input in
                    board.task {
                        // Yields first, so that the caller is suspended by then.
                        for _ in 0..<3 { await Task.yield() }
                        board.send(input * 10)
                        board.send(input * 10 + 1)
                        board.complete()
                    }
                }
            }
            motherboard.observe { [journal] event in
                if event.kind == .completed { journal.note(event.message) }
            }
        }

        func answer(to question: Int) async throws -> Int {
            try await motherboard.result(of: .first, with: question)
        }

        func outputs(for question: Int) async throws -> [Int] {
            var read: [Int] = []
            for try await output in motherboard.outputs(of: .first, with: question) {
                preconditionIsolated()
                read.append(output)
            }
            return read
        }

        /// Requests a result from a board that never sends an output.
        func askInVain(_ whenAsked: AsyncStream<Void>.Continuation) async throws -> Int {
            motherboard.register(.second) { slot in ProbeBoard(slot: slot) { _, _ in whenAsked.yield() } }
            return try await motherboard.result(of: .second, with: 0)
        }

        func completions() -> [String] { journal.lines }
    }

    @Test(.rule("B12")) func `concurrent callers on a custom actor each get their own result`() async throws {
        let desk = Desk()
        await desk.open()
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for question in 0..<20 { group.addTask { (question, try await desk.answer(to: question)) } }
            for try await (question, answer) in group { #expect(answer == question * 10) }
        }
    }

    @Test(.rule("B12")) func `cancelling a caller on a custom actor completes the board as cancelled`() async {
        let desk = Desk()
        await desk.open()
        let (asked, whenAsked) = AsyncStream.makeStream(of: Void.self)
        let answer = Task { try await desk.askInVain(whenAsked) }
        for await _ in asked { break }
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        #expect(await desk.completions() == ["Completed: cancelled."])
    }

    @Test(.rule("B13")) func `outputs are read on a custom actor`() async throws {
        let desk = Desk()
        await desk.open()
        #expect(try await desk.outputs(for: 4) == [40, 41])
    }
}
