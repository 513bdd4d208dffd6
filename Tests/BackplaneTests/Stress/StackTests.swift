import Foundation
import TestSupport
import Testing

@testable import Backplane

/// Returns the depth of the stack, in frames.
private func stackDepth() -> Int {
    Thread.callStackReturnAddresses.count
}

@Suite(.timeLimit(.minutes(5))) struct StackTests {
    @Test(.rule("B2")) func `nested activations are direct calls that make the stack grow`() async {
        let depths = await ActorStage().run { motherboard in
            var depths: [Int] = []
            motherboard.probe(.first) { board, input in
                depths.append(stackDepth())
                if input < 5 { board.nextToBoard(.first, with: input + 1) }
            }
            motherboard.activate(.first, with: 0)
            return depths
        }
        #expect(depths.count == 6)
        #expect(zip(depths, depths.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(.rule("B2"), arguments: Place.allCases)
    func `a chain of a hundred thousand boards does not grow the stack`(place: Place) async {
        let length = scaled(100_000)
        let depths = await place.makeStage().run { motherboard in
            var depths: [Int] = []
            let ids = (0..<length).map { BoardID<Numbers>("board \($0)") }
            for id in ids {
                motherboard.probe(id) { board, input in
                    if input == 3 || input == length - 1 { depths.append(stackDepth()) }
                    board.send(input + 1)
                }
            }
            for (id, next) in zip(ids, ids.dropFirst()) { motherboard.registerFlow(from: id, to: next) { $0 } }
            motherboard.activate(ids[0], with: 0)
            return depths
        }
        #expect(depths.count == 2)
        #expect(depths.first == depths.last)
    }

    @Test(.rule("B2"), arguments: Place.allCases)
    func `a cycle of a hundred thousand hops does not grow the stack`(place: Place) async {
        let length = scaled(100_000)
        let depths = await place.makeStage().run { motherboard in
            var depths: [Int] = []
            motherboard.probe(.first) { board, input in
                if input == 3 || input == length - 1 { depths.append(stackDepth()) }
                if input < length { board.send(input + 1) }
            }
            motherboard.probe(.second) { board, input in board.send(input) }
            motherboard.registerFlowSteps(.first ->>> .second ->>> .first)
            motherboard.activate(.first, with: 1)
            return depths
        }
        #expect(depths.count == 2)
        #expect(depths.first == depths.last)
    }

    @Test(.rule("B2")) func `completions and actions that cause each other do not grow the stack`() async {
        let length = scaled(100_000)
        let depths = await ActorStage().run { motherboard in
            var depths: [Int] = []
            var rounds = 0
            motherboard.probe(.first) { board, _ in
                rounds += 1
                if rounds == 2 || rounds == length { depths.append(stackDepth()) }
                board.complete()
            }
            motherboard.registerCompletionFlow(.first) { _, motherboard in motherboard.sendAction(Wish.returnHome) }
            motherboard.registerGeneralFlow { (_: Wish, motherboard) in
                if rounds < length { motherboard.activate(.first, with: 0) }
            }
            motherboard.activate(.first, with: 0)
            return depths
        }
        #expect(depths.count == 2)
        #expect(depths.first == depths.last)
    }

    @Test(.rule("B2")) func `turns that are opened inside turns on nested motherboards form one turn`() async {
        let rounds = scaled(100_000)
        let (depths, order) = await ActorStage().run { motherboard in
            var depths: [Int] = []
            var order: [Int] = []
            // Ten levels: each board sends into its own motherboard and activates the next level
            // inside.
            let levels = (0..<10).map { BoardID<Numbers>("level \($0)") }
            var innermost: Motherboard?
            for (level, id) in levels.enumerated() {
                motherboard.probe(id) { board, input in
                    if level + 1 < levels.count {
                        board.inner.registerFlow(from: levels[level + 1]) { _, _ in order.append(level + 1) }
                        board.inner.activate(levels[level + 1], with: input)
                    } else {
                        innermost = board.inner
                    }
                    board.send(input)
                }
            }
            motherboard.registerFlow(from: levels[0]) { _, _ in order.append(0) }
            motherboard.activate(levels[0], with: 0)
            // A cycle on the innermost motherboard, where each hop opens a turn again.
            innermost?.probe(.first) { board, input in
                if input == 3 || input == rounds - 1 { depths.append(stackDepth()) }
                if input < rounds { board.send(input + 1) }
            }
            innermost?.registerFlow(from: .first) { output, motherboard in motherboard.activate(.first, with: output) }
            innermost?.activate(.first, with: 1)
            return (depths, order)
        }
        #expect(order == (0..<10).reversed())
        #expect(depths.count == 2)
        #expect(depths.first == depths.last)
    }
}
