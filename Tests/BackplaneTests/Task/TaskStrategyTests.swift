import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The reaction of work to its cancellation.
@MainActor private final class Reaction {
    var run: () -> Void = {}
}

/// The strategies, beyond the rules that `TaskModel` has.
@Suite(.rule("B36"), .timeLimit(.minutes(5))) @MainActor struct TaskStrategyTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let gate = AsyncLatch()

    /// Registers work that waits at the gate, whether or not it is cancelled.
    private func register(_ strategy: TaskStrategy<Int>) {
        motherboard.registerTask(.figures, strategy) { [journal, gate] input, _ in
            journal.note("\(input) begins")
            await gate.wait()
            journal.note("\(input) \(Task.isCancelled ? "stops" : "ends")")
            return input
        }
    }

    private func activate(_ numbers: ClosedRange<Int>) -> [BoardOutputs<Figures>] {
        numbers.map { motherboard.outputs(of: .figures, with: $0) }
    }

    @Test func `concurrent work never exceeds its limit and starts in order`() async throws {
        register(.concurrent(limit: 2))
        let outputs = activate(1...4)
        await gate.arrivals(atLeast: 2)
        for _ in 0..<100 { await Task.yield() }
        #expect(journal.lines == ["1 begins", "2 begins"])
        gate.open()
        for (number, output) in zip(1..., outputs) { #expect(try await output.all() == [number]) }
        #expect(journal.lines.filter { $0.hasSuffix("begins") } == (1...4).map { "\($0) begins" })
    }

    @Test func `the latest strategy cancels the earlier activation and starts immediately`() async throws {
        register(.latest)
        let earlier = activate(1...1)[0]
        await gate.arrivals(atLeast: 1)
        let later = activate(2...2)[0]
        #expect(earlier.activation.completion?.isCancelled == true)
        await gate.arrivals(atLeast: 2)
        gate.open()
        #expect(try await later.all() == [2])
        #expect(journal.lines.sorted() == ["1 begins", "1 stops", "2 begins", "2 ends"])
    }

    @Test func `with the latest strategy, an activation that was already replaced does not start`() async throws {
        let reaction = Reaction()
        motherboard.registerTask(.figures, .latest) { [journal, gate, reaction] input, _ in
            journal.note("\(input) begins")
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                MainActor.assumeIsolated { reaction.run() }
            }
            return input
        }
        let first = activate(1...1)[0]
        await gate.arrivals(atLeast: 1)
        var third: BoardOutputs<Figures>?
        reaction.run = { [motherboard, reaction] in
            reaction.run = {}
            third = motherboard.outputs(of: .figures, with: 3)
        }
        let second = activate(2...2)[0]
        #expect([first, second].allSatisfy { $0.activation.completion?.isCancelled == true })
        gate.open()
        #expect(try await third?.all() == [3])
        #expect(journal.lines == ["1 begins", "3 begins"])
    }

    @Test func `with the exclusive strategy, activations during work fail with busy`() async throws {
        register(.exclusive)
        let outputs = activate(1...2)
        let error = await #expect(throws: BoardError.self) { try await outputs[1].all() }
        #expect(error?.code == .busy)
        #expect(error?.board.name == "figures")
        gate.open()
        #expect(try await outputs[0].all() == [1])
    }

    @Test func `a queued activation that is cancelled is skipped, even if its board is retained`() async throws {
        register(.queue)
        let outputs = activate(1...4)
        var boards = motherboard.entry(for: .figures).liveBoards.compactMap { ($0 as? LiveBoard<Figures>)?.board }
        let weak = boards.map { Weak<AnyObject>($0 as AnyObject) }
        boards.remove(at: 2)
        let held = boards.remove(at: 1)
        boards = []
        await gate.arrivals(atLeast: 1)
        outputs[1].activation.complete(.cancelled)
        outputs[2].activation.complete(.cancelled)
        #expect(weak.map { $0.object == nil } == [false, false, true, false])
        gate.open()
        #expect(try await outputs[3].all() == [4])
        #expect(journal.lines == ["1 begins", "1 ends", "4 begins", "4 ends"])
        withExtendedLifetime(held) {}
    }
}
