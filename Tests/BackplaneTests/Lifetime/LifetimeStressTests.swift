import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@Suite(.timeLimit(.minutes(5))) struct LifetimeStressTests {
    @Test(.rule("B28"), arguments: OwnerPath.allCases)
    func `lifetimes that end on many threads end each board once while boards start and complete`(path: OwnerPath) async
    {
        let rounds = 50
        let holdersEach = 8
        let stages = (0..<4).map { _ in ActorStage() }
        let expected = rounds * holdersEach * stages.count
        let ended = Locked(0)
        let allEnded = AsyncLatch()
        for stage in stages {
            await stage.run { motherboard in
                motherboard.register(.lifetimes) { slot, _ in ProbeBoard(slot: slot, onActivate: { $0.pair(with: $1) })
                }
                motherboard.registerCompletionFlow(.lifetimes) { _, _ in
                    let count = ended.withLock { count in
                        count += 1
                        return count
                    }
                    if count == expected { allEnded.open() }
                }
            }
        }
        for _ in 0..<rounds {
            let holders = (0..<holdersEach).map { _ in ScreenHolder() }
            await withTaskGroup { group in
                for stage in stages {
                    group.addTask {
                        for (number, holder) in holders.enumerated() {
                            await stage.run { motherboard in
                                let screen = holder.screen ?? Screen()
                                let activation = motherboard.activate(.lifetimes, with: screen)
                                if number.isMultiple(of: 2) { activation.complete() }
                            }
                        }
                    }
                }
                for closing in ScreenHolder.Closing.allCases {
                    group.addTask { for holder in holders { path.run { holder.close(closing) } } }
                }
            }
        }
        await allEnded.wait()
        for stage in stages { #expect(await stage.run { $0.entry(for: .lifetimes).liveBoards.isEmpty }) }
        #expect(ended.withLock { $0 } == expected)
    }
}

private enum Lifetimes: BoardContract {
    typealias Input = Screen
}

extension BoardID<Lifetimes> {
    fileprivate static var lifetimes: Self { "lifetimes" }
}
