import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// A board that sends its input once and ends in one of four ways.
private final class Traveller: Board {
    let slot: Slot<Numbers>
    private let census: Census

    init(slot: Slot<Numbers>, census: Census) {
        self.slot = slot
        self.census = census
    }

    deinit {
        census.go()
    }

    func activate(with input: Int) {
        switch Way(of: input) {
        case .endsItself:
            send(input)
            complete()
        case .works:
            task {
                await Task.yield()
                self.send(input)
                self.complete()
            }
        case .isEnded, .stays: send(input)
        }
    }

    func receive(_ command: Int) {}

    enum Way: Int, CaseIterable {
        case endsItself
        case works
        case isEnded
        case stays

        init(of input: Int) {
            self = Self.allCases[input % Self.allCases.count]
        }
    }
}

/// The outcome of the activations on one actor.
private struct Outcome {
    var outputs = 0
    var sum = 0
    var done = 0
    var cancelled = 0
}

private actor Station {
    private lazy var motherboard = Motherboard(owner: self)

    /// An outcome that several handlers write.
    private final class Tally {
        var outcome = Outcome()
    }

    func run(_ activations: Int, census: Census) async -> Outcome {
        let tally = Tally()
        let rest = AsyncLatch()
        let ending = (0..<activations).count { Traveller.Way(of: $0) != .stays }
        motherboard.register(.first, reuse: .perActivation) { Traveller(slot: $0, census: census) }
        // A second hop leads to a shared board.
        motherboard.probe(.second) { board, input in board.send(input) }
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.registerFlow(from: .second) { output, _ in
            tally.outcome.outputs += 1
            tally.outcome.sum += output
        }
        motherboard.registerCompletionFlow(.first) { completion, _ in
            if case .done = completion { tally.outcome.done += 1 } else { tally.outcome.cancelled += 1 }
            if tally.outcome.done == ending { rest.open() }
        }
        for input in 0..<activations {
            let activation = motherboard.activate(.first, with: input)
            if Traveller.Way(of: input) == .isEnded { activation.complete() }
        }
        await rest.wait()
        motherboard.complete()
        return tally.outcome
    }
}

@Suite(.timeLimit(.minutes(5))) struct ActivationStressTests {
    @Test(.rule("B2", "B29")) func `a million activations on a hundred actors lose no output and leak no board`() async
    {
        let actors = 100
        let each = scaled(1_000_000) / actors
        let census = Census(expecting: actors * each)
        let outcomes = await withTaskGroup { group in
            for _ in 0..<actors {
                group.addTask { await Station().run(each, census: census) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let staying = (0..<each).count { Traveller.Way(of: $0) == .stays }
        for outcome in outcomes {
            #expect(outcome.outputs == each)
            #expect(outcome.sum == (0..<each).reduce(0, +))
            #expect(outcome.done == each - staying)
            #expect(outcome.cancelled == staying)
        }
        await census.allGone.wait()
    }
}
