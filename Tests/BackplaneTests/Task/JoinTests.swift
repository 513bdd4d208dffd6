import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A board without input that sends a number.
private enum Refresh: BoardContract {
    typealias Output = Int
}

/// A board with an optional number as input and without output.
private enum Trip: BoardContract {
    typealias Input = Int?
}

/// The strategy `.join`, beyond the rules that `TaskModel` has.
@Suite(.rule("B55"), .timeLimit(.minutes(5))) @MainActor struct JoinTests {
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

    private func registerHeld() -> Held {
        let held = Held()
        motherboard.registerTask(.figures, .join) { input, _ in await held.work(input) }
        return held
    }

    @Test func `activations with an equal input join the running work and receive its result in order`() async throws {
        let held = registerHeld()
        let outputs = [1, 1, 2, 1].map { motherboard.outputs(of: .figures, with: $0) }
        motherboard.noteOutputs(of: .figures, in: journal)
        await held.gates[1].arrivals(atLeast: 1)
        held.gates[0].open()
        for output in [outputs[0], outputs[1], outputs[3]] {
            #expect(try await output.all() == [100])
            #expect(output.activation.completion?.isDone == true)
        }
        #expect(held.begun == [1, 2])
        #expect(journal.lines == ["100", "100", "100"])
        held.gates[1].open()
        #expect(try await outputs[2].all() == [201])
    }

    @Test func `an activation after the result starts the work again, even from a flow of that result`() async throws {
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

    @Test func `callers of a result join the work, and a cancelled one does not stop the others`() async throws {
        let held = registerHeld()
        let motherboard = motherboard
        let asking = (0..<3).map { _ in Task { @MainActor in try await motherboard.result(of: .figures, with: 1) } }
        await held.gates[0].arrivals(atLeast: 1)
        asking[0].cancel()
        await #expect(throws: CancellationError.self) { try await asking[0].value }
        // The next caller's board starts the work again, while the cancelled work still runs.
        await held.gates[1].arrivals(atLeast: 1)
        for gate in held.gates { gate.open() }
        for task in asking[1...] { #expect(try await task.value == 101) }
        #expect(held.begun == [1, 1])
    }

    @Test func `activations without input, with nil and without output join too`() async throws {
        let gate = AsyncLatch()
        let journal = journal
        motherboard.registerTask(Refresh.id, .join) { _, _ in
            journal.note("refresh")
            await gate.wait()
            return 1
        }
        motherboard.registerTask(Trip.id, .join) { input, _ in
            journal.note(input.map { "\($0)" } ?? "none")
            await gate.wait()
        }
        let outputs = (0..<3).map { _ in motherboard.outputs(of: Refresh.id) }
        let trips = [nil, 3, nil, 3].map { motherboard.outputs(of: Trip.id, with: $0) }
        await gate.arrivals(atLeast: 3)
        gate.open()
        for output in outputs { #expect(try await output.all() == [1]) }
        for trip in trips { #expect(try await trip.all().isEmpty) }
        #expect(journal.lines == ["refresh", "none", "3"])
    }

    @Test func `a completed motherboard ends all joined activations and starts no work`() async throws {
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
        #expect(boards.allSatisfy { $0.object == nil })
    }
}
