import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A board without input that sends a number.
private enum Refresh: BoardContract {
    typealias Output = Int
}

/// A board with an optional number as input and without output.
private enum Errand: BoardContract {
    typealias Input = Int?
}

extension BoardID<Refresh> {
    fileprivate static var refresh: Self { "refresh" }
}

extension BoardID<Errand> {
    fileprivate static var errand: Self { "errand" }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct JoinTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    /// Work that waits at a gate each time, whether or not it is cancelled.
    @MainActor private final class Held {
        let gates = (0..<4).map { _ in AsyncLatch() }
        private(set) var begun: [Int] = []

        func work(_ input: Int) async -> Int {
            let number = begun.count
            begun.append(input)
            await gates[number].wait()
            return input * 100 + number
        }
    }

    private func registerHeld(progress: Bool = false) -> Held {
        let held = Held()
        motherboard.registerTask(.figures, .join) { input, slot in
            if progress { slot.send(-input) }
            return await held.work(input)
        }
        return held
    }

    @Test(.rule("B55"))
    func `activations with an equal input join the running work and receive its result in order`() async throws {
        let held = registerHeld()
        let outputs = [1, 1, 1].map { motherboard.outputs(of: .figures, with: $0) }
        var ends: [Int] = []
        motherboard.registerFlow(from: .figures) { output, _ in ends.append(output) }
        await held.gates[0].arrivals(atLeast: 1)
        held.gates[0].open()
        for output in outputs { #expect(try await output.all() == [100]) }
        #expect(held.begun == [1])
        #expect(ends == [100, 100, 100])
        #expect(outputs.allSatisfy { $0.activation.completion?.isDone == true } == true)
    }

    @Test(.rule("B55")) func `different inputs are processed at the same time`() async throws {
        let held = registerHeld()
        let outputs = [1, 2, 1, 2].map { motherboard.outputs(of: .figures, with: $0) }
        await held.gates[1].arrivals(atLeast: 1)
        #expect(held.begun == [1, 2])
        for gate in held.gates { gate.open() }
        var results: [Int] = []
        for output in outputs { results += try await output.all() }
        #expect(results == [100, 201, 100, 201])
    }

    @Test(.rule("B55")) func `an error fails every joined activation`() async {
        let gate = AsyncLatch()
        motherboard.registerTask(.figures, .join) { _, _ in
            await gate.wait()
            throw Oops()
        }
        let outputs = [1, 1].map { motherboard.outputs(of: .figures, with: $0) }
        gate.open()
        for output in outputs { await #expect(throws: Oops.self) { try await output.all() } }
    }

    @Test(.rule("B55"))
    func `an activation after the result starts the work again, even from a flow of that result`() async throws {
        let held = registerHeld()
        for gate in held.gates { gate.open() }
        var again: BoardOutputs<Figures>?
        motherboard.registerFlow(from: .figures) { output, motherboard in
            again = again ?? motherboard.outputs(of: .figures, with: 1)
        }
        #expect(try await motherboard.outputs(of: .figures, with: 1).all() == [100])
        #expect(try await again?.all() == [101])
        #expect(try await motherboard.result(of: .figures, with: 1) == 102)
    }

    @Test(.rule("B55")) func `progress reaches only the activation that does the work`() async throws {
        let held = registerHeld(progress: true)
        let outputs = [1, 1].map { motherboard.outputs(of: .figures, with: $0) }
        held.gates[0].open()
        #expect(try await outputs[0].all() == [-1, 100])
        #expect(try await outputs[1].all() == [100])
    }

    @Test(.rule("B55"))
    func `the next live activation restarts the work if the working activation is cancelled`() async throws {
        let held = registerHeld()
        let outputs = (0..<4).map { _ in motherboard.outputs(of: .figures, with: 1) }
        await held.gates[0].arrivals(atLeast: 1)
        outputs[1].activation.complete(.cancelled)
        outputs[0].activation.complete(.cancelled)
        // The new work starts immediately, while the cancelled work still runs.
        await held.gates[1].arrivals(atLeast: 1)
        let later = motherboard.outputs(of: .figures, with: 1)
        held.gates[1].open()
        for output in [outputs[2], outputs[3], later] { #expect(try await output.all() == [101]) }
        held.gates[0].open()
        for output in outputs[0...1] { #expect(try await output.all().isEmpty) }
        #expect(held.begun == [1, 1])
    }

    @Test(.rule("B55")) func `a joined activation may end while the work continues`() async throws {
        let held = registerHeld()
        let outputs = [1, 1, 1].map { motherboard.outputs(of: .figures, with: $0) }
        await held.gates[0].arrivals(atLeast: 1)
        outputs[1].activation.complete(.cancelled)
        #expect(outputs[1].activation.state == .completed)
        held.gates[0].open()
        #expect(try await outputs[0].all() == [100])
        #expect(try await outputs[1].all().isEmpty)
        #expect(try await outputs[2].all() == [100])
    }

    @Test(.rule("B55")) func `work without any activation is discarded`() async throws {
        let held = registerHeld()
        let first = motherboard.outputs(of: .figures, with: 1)
        await held.gates[0].arrivals(atLeast: 1)
        first.activation.complete(.cancelled)
        for gate in held.gates { gate.open() }
        #expect(try await motherboard.result(of: .figures, with: 1) == 101)
    }

    @Test(.rule("B55"))
    func `callers that await a result join, and a cancelled caller leaves the others waiting`() async throws {
        let held = registerHeld()
        let motherboard = motherboard
        let asking = (0..<3).map { _ in Task { @MainActor in try await motherboard.result(of: .figures, with: 1) } }
        await held.gates[0].arrivals(atLeast: 1)
        asking[0].cancel()
        await #expect(throws: CancellationError.self) { try await asking[0].value }
        await held.gates[1].arrivals(atLeast: 1)
        for gate in held.gates { gate.open() }
        for task in asking[1...] { #expect(try await task.value == 101) }
        #expect(held.begun == [1, 1])
    }

    @Test(.rule("B55")) func `activations without input always join`() async throws {
        let gate = AsyncLatch()
        var count = 0
        motherboard.registerTask(.refresh, .join) { _, _ in
            count += 1
            await gate.wait()
            return count
        }
        let outputs = (0..<3).map { _ in motherboard.outputs(of: .refresh) }
        gate.open()
        for output in outputs { #expect(try await output.all() == [1]) }
    }

    @Test(.rule("B55")) func `two nil inputs are equal, and boards without output join too`() async {
        let gates = [AsyncLatch(), AsyncLatch()]
        let ended = AsyncLatch()
        let journal = journal
        motherboard.registerTask(.errand, .join) { input, _ in
            journal.note(input.map { "\($0)" } ?? "none")
            await gates[input == nil ? 0 : 1].wait()
        }
        motherboard.registerCompletionFlow(.errand) { completion, _ in
            journal.note("\(completion)")
            if journal.lines.count == 6 { ended.open() }
        }
        for input in [nil, 3, nil, 3] { motherboard.activate(.errand, with: input) }
        for gate in gates { await gate.arrivals(atLeast: 1) }
        for gate in gates { gate.open() }
        await ended.wait()
        #expect(journal.lines == ["none", "3", "done", "done", "done", "done"])
    }

    @Test(.rule("B55")) func `a completed motherboard ends all joined activations and starts no work`() async throws {
        let held = registerHeld()
        let outputs = [1, 1, 1].map { motherboard.outputs(of: .figures, with: $0) }
        await held.gates[0].arrivals(atLeast: 1)
        let events = motherboard.observeEvents()
        motherboard.complete()
        #expect(outputs.map { $0.activation.state } == [.completed, .completed, .completed])
        #expect(events.boards(.taskStarted).isEmpty)
        for gate in held.gates { gate.open() }
        #expect(held.begun == [1])
    }

    @Test(.rule("B29")) func `a joined result keeps no board alive`() async throws {
        let held = registerHeld()
        let outputs = [1, 1].map { motherboard.outputs(of: .figures, with: $0) }
        let boards = motherboard.entry(for: .figures).liveBoards.compactMap { $0 as? LiveBoard<Figures> }
            .map { Weak<AnyObject>($0.board as AnyObject?) }
        #expect(boards.count == 2)
        held.gates[0].open()
        for output in outputs { _ = try await output.all() }
        // The frame of the task is released shortly after its board has ended.
        for _ in 0..<100 where boards.contains(where: { $0.object != nil }) { await Task.yield() }
        #expect(boards.map { $0.object == nil } == [true, true])
    }
}
