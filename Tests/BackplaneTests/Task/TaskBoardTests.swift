import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A board with a number as input and without output.
private enum Errand: BoardContract {
    typealias Input = Int
}

extension BoardID<Errand> {
    fileprivate static var errand: Self { "errand" }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct TaskBoardTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    private func journalize(_ id: BoardID<Figures>) {
        motherboard.registerFlow(from: id) { [journal] output, _ in journal.note("\(output)") }
        motherboard.registerCompletionFlow(id) { [journal] completion, _ in journal.note("\(completion)") }
    }

    @Test(.rule("B9")) func `a closure may be a board, and its result is its last output`() async throws {
        journalize(.figures)
        motherboard.registerTask(.figures) { input, slot in
            slot.send(input + 1)
            await Task.yield()
            slot.send(input + 2)
            return input + 3
        }
        let outputs = motherboard.outputs(of: .figures, with: 10)
        #expect(journal.lines.isEmpty)
        #expect(try await outputs.all() == [11, 12, 13])
        #expect(outputs.activation.state == .completed)
        #expect(journal.lines == ["11", "12", "13", "done"])
    }

    @Test(.rule("B9"))
    func `a flow that receives the result of a closure can no longer cancel the board`() async throws {
        journalize(.figures)
        motherboard.registerFlow(from: .figures) { _, motherboard in motherboard.complete(.figures, .cancelled) }
        motherboard.registerTask(.figures) { input, _ in input }
        #expect(try await motherboard.outputs(of: .figures, with: 1).all() == [1])
        #expect(journal.lines == ["1", "done"])
    }

    @Test(.rule("B36")) func `an error fails its activation once, after the outputs already sent`() async throws {
        journalize(.figures)
        motherboard.registerTask(.figures) { input, slot in
            slot.send(input)
            throw Oops()
        }
        let outputs = motherboard.outputs(of: .figures, with: 1)
        await #expect(throws: Oops.self) { try await outputs.all() }
        #expect(try await outputs.all().isEmpty)
        #expect(journal.lines == ["1", "failed(Oops)"])
    }

    @Test(.rule("B36")) func `work that throws CancellationError ends as cancelled`() async throws {
        journalize(.figures)
        motherboard.registerTask(.figures) { _, _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await motherboard.result(of: .figures, with: 0) }
        #expect(try await motherboard.outputs(of: .figures, with: 0).all().isEmpty)
        #expect(journal.lines == ["cancelled"])
    }

    @Test(.rule("B9")) func `a closure without output may be a board`() async {
        let ended = AsyncLatch()
        motherboard.registerTask(.errand) { [journal] input, _ in
            journal.note("\(input)")
        }
        motherboard.registerCompletionFlow(.errand) { [journal] completion, _ in
            journal.note("\(completion)")
            ended.open()
        }
        motherboard.activate(.errand, with: 1)
        await ended.wait()
        #expect(journal.lines == ["1", "done"])
    }

    @Test(.rule("B36")) func `a closure without output may fail`() async {
        let ended = AsyncLatch()
        motherboard.registerTask(.errand) { _, _ in throw Oops() }
        motherboard.registerCompletionFlow(.errand) { [journal] completion, _ in
            journal.note("\(completion)")
            ended.open()
        }
        motherboard.activate(.errand, with: 2)
        await ended.wait()
        #expect(journal.lines == ["failed(Oops)"])
    }

    @Test(.rule("B36")) func `each activation has its own outputs, error and completion`() async throws {
        let gates = (0..<3).map { _ in AsyncLatch() }
        motherboard.registerTask(.figures) { input, slot in
            slot.send(input * 10)
            await gates[input].wait()
            if input == 1 { throw Oops() }
            return input * 10 + 1
        }
        let outputs = gates.indices.map { motherboard.outputs(of: .figures, with: $0) }
        for gate in gates.reversed() { gate.open() }
        #expect(try await outputs[2].all() == [20, 21])
        await #expect(throws: Oops.self) { try await outputs[1].all() }
        #expect(try await outputs[0].all() == [0, 1])
    }

    @Test(.rule("B36")) func `a hundred results each reach their caller exactly once and no flow`() async throws {
        journalize(.figures)
        motherboard.registerTask(.figures, .concurrent(limit: 7)) { input, _ in
            for _ in 0..<(input % 5) { await Task.yield() }
            return input
        }
        let motherboard = motherboard
        let asking = (0..<100).map { number in
            Task { @MainActor in try await motherboard.result(of: .figures, with: number) }
        }
        for (number, task) in asking.enumerated() { #expect(try await task.value == number) }
        #expect(journal.lines.isEmpty)
        #expect(motherboard.entry(for: .figures).liveBoards.isEmpty)
    }

    @Test(.rule("B36"))
    func `completing an activation cancels only its own work, whose later outputs are dropped`() async throws {
        let gates = [AsyncLatch(), AsyncLatch()]
        let ended = AsyncLatch()
        motherboard.registerTask(.figures) { [journal] input, slot in
            await gates[input].wait()
            journal.note("\(input) \(Task.isCancelled ? "cancelled" : "goes on")")
            slot.send(7)
            if input == 0 { ended.open() }
            return 8
        }
        let outputs = gates.indices.map { motherboard.outputs(of: .figures, with: $0) }
        for gate in gates { await gate.arrivals(atLeast: 1) }
        outputs[0].activation.complete(.cancelled)
        for gate in gates { gate.open() }
        #expect(try await outputs[1].all() == [7, 8])
        await ended.wait()
        #expect(try await outputs[0].all().isEmpty)
        #expect(journal.lines.sorted() == ["0 cancelled", "1 goes on"])
    }

    @Test(.rule("B36")) func `cancelling a caller that awaits a result cancels the work`() async {
        let begun = AsyncLatch()
        let clock = ManualClock()
        let ended = AsyncLatch()
        motherboard.registerTask(.figures) { [journal] input, _ in
            begun.open()
            defer {
                journal.note(Task.isCancelled ? "cancelled" : "not cancelled")
                ended.open()
            }
            try await clock.sleep(for: .seconds(1))
            return input
        }
        let motherboard = motherboard
        let asking = Task { @MainActor in try await motherboard.result(of: .figures, with: 0) }
        await begun.wait()
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        await ended.wait()
        #expect(journal.lines == ["cancelled"])
    }

    @Test(.rule("B36")) func `work that is cancelled before its start does not run`() async throws {
        let motherboard = motherboard
        motherboard.registerTask(.figures, .queue) { [journal] input, _ in
            journal.note("\(input)")
            return input
        }
        motherboard.activate(.figures, with: 1).complete()
        #expect(try await motherboard.result(of: .figures, with: 2) == 2)
        #expect(journal.lines == ["2"])
    }

    @Test(.rule("B29")) func `a released motherboard fails the waiting callers and cancels the work`() async {
        let gate = AsyncLatch()
        let ended = AsyncLatch()
        let begun = AsyncLatch()
        var outputs: BoardOutputs<Figures>?
        do {
            let motherboard = Motherboard()
            motherboard.registerTask(.figures, .queue) { [journal] input, slot in
                begun.open()
                await gate.wait()
                journal.note("\(input) \(Task.isCancelled ? "cancelled" : "goes on") \(slot.isLive)")
                slot.send(input)
                ended.open()
                return input
            }
            outputs = motherboard.outputs(of: .figures, with: 1)
            motherboard.activate(.figures, with: 2)
            await begun.wait()
        }
        let error = await #expect(throws: BoardError.self) { try await outputs?.all() }
        #expect(error?.code == .ownerGone)
        gate.open()
        await ended.wait()
        for _ in 0..<100 { await Task.yield() }
        #expect(journal.lines == ["1 cancelled false"])
    }

    @Test(.rule("B36")) func `a task board on a custom actor runs on that actor`() async throws {
        #expect(try await Workshop().work() == [1, 2, 3])
    }
}

private actor Workshop {
    private lazy var motherboard = Motherboard(owner: self)
    private var log: [Int] = []

    func work() async throws -> [Int] {
        motherboard.registerTask(.figures, .queue) { input, slot in
            slot.owner.preconditionIsolated()
            await Task.yield()
            slot.owner.preconditionIsolated()
            return input
        }
        var results: [Int] = []
        let outputs = (1...3).map { motherboard.outputs(of: .figures, with: $0) }
        for output in outputs { results += try await output.all() }
        return results
    }
}

extension BoardOutputs {
    /// Returns the remaining outputs after the board has ended.
    nonisolated(nonsending) func all() async throws -> [Contract.Output] {
        var outputs: [Contract.Output] = []
        for try await output in self { outputs.append(output) }
        return outputs
    }
}
