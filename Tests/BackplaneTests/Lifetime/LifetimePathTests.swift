import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The end of a lifetime on every system, whether or not code can tell which actor it runs on.
@Suite(.timeLimit(.minutes(5))) struct LifetimePathTests {
    /// A stage with a screen holder and a list of lines.
    ///
    /// The scene is over when the last line is noted.
    private struct Scene: Sendable {
        let stage: any Stage
        let holder = ScreenHolder()
        let over = AsyncLatch()
        let lines = Locked<[String]>([])

        func note(_ line: String, last: String) {
            lines.withLock { $0.append(line) }
            if line == last { over.open() }
        }

        /// Ends the lifetime on or off the actor of the motherboard, and waits until the scene is
        /// over.
        func close(_ closing: ScreenHolder.Closing, by path: OwnerPath, onOwner: Bool) async {
            if onOwner {
                await stage.run { _ in path.run { holder.close(closing) } }
            } else {
                path.run { holder.close(closing) }
            }
            await over.wait()
        }
    }

    @Test(.rule("B61"), arguments: OwnerPath.allCases, Place.allCases)
    func `boards paired with one lifetime end in the order of pairing`(path: OwnerPath, place: Place) async {
        for onOwner in [true, false] {
            for closing in ScreenHolder.Closing.allCases {
                let scene = Scene(stage: await place.makeStage())
                let names = (0..<40).map { "board \($0)" }
                await scene.stage.run { motherboard in
                    for name in names {
                        let id = BoardID<Numbers>(name)
                        motherboard.probe(id) { board, _ in
                            if let screen = scene.holder.screen { board.pair(with: screen) }
                        }
                        motherboard.registerCompletionFlow(id) { completion, _ in
                            #expect(completion.isCancelled)
                            scene.note(name, last: names[names.count - 1])
                        }
                        motherboard.activate(id, with: 0)
                    }
                }
                await scene.close(closing, by: path, onOwner: onOwner)
                #expect(scene.lines.withLock { $0 } == names)
            }
        }
    }

    @Test(.rule("B61"), arguments: OwnerPath.allCases)
    func `a lifetime that ends on a known actor ends its boards before the call returns`(path: OwnerPath) async {
        let holder = ScreenHolder()
        let main = await MainStage()
        let other = Scene(stage: ActorStage())
        for stage in [main, other.stage] as [any Stage] {
            await stage.run { motherboard in
                motherboard.probe(.first) { board, _ in
                    if let screen = holder.screen { board.pair(with: screen) }
                }
                motherboard.activate(.first, with: 0)
                #expect(motherboard.isLive(.first))
            }
        }
        await other.stage.run { motherboard in
            _ = motherboard.registerCompletionFlow(.first) { _, _ in other.note("ended", last: "ended") }
        }
        await MainActor.run {
            path.run { holder.screen?.lifetime.end(isolation: MainActor.shared) }
            #expect(!main.motherboard.isLive(.first))
        }
        await other.over.wait()
        await other.stage.run { #expect(!$0.isLive(.first)) }
    }

    @Test(.rule("B61"), arguments: OwnerPath.allCases, Place.allCases)
    func `kept components are released on their actor in the order in which they were kept`(
        path: OwnerPath,
        place: Place
    ) async {
        for onOwner in [true, false] {
            let scene = Scene(stage: await place.makeStage())
            let names = (0..<10).map { "\($0)" }
            await scene.stage.run { motherboard in
                motherboard.probe(.first) { board, _ in
                    let owner = board.slot.owner
                    for name in names {
                        let component = Component {
                            owner.preconditionIsolated()
                            scene.note(name, last: "9")
                        }
                        if let screen = scene.holder.screen { board.keep(component, for: screen) }
                    }
                }
                motherboard.activate(.first, with: 0)
            }
            await scene.close(.saysSo, by: path, onOwner: onOwner)
            #expect(scene.lines.withLock { $0 } == names)
            #expect(await scene.stage.run { $0.entry(for: .first).liveBoards.count } == 1)
        }
    }

    @Test(.rule("B61"), arguments: OwnerPath.allCases)
    func `one lifetime ends boards on several actors, in the order of pairing on each actor`(path: OwnerPath) async {
        let scenes = [Scene(stage: ActorStage()), Scene(stage: ActorStage()), Scene(stage: await MainStage())]
        let holder = ScreenHolder()
        for number in 0..<10 {
            for scene in scenes {
                await scene.stage.run { motherboard in
                    let id = BoardID<Numbers>("\(number)")
                    motherboard.probe(id) { board, _ in
                        if let screen = holder.screen { board.pair(with: screen) }
                    }
                    motherboard.registerCompletionFlow(id) { _, _ in scene.note("\(number)", last: "9") }
                    motherboard.activate(id, with: 0)
                }
            }
        }
        path.run { holder.close() }
        for scene in scenes {
            await scene.over.wait()
            #expect(scene.lines.withLock { $0 } == (0..<10).map { "\($0)" })
        }
    }

    @Test(.rule("B61"), arguments: OwnerPath.allCases)
    func `a lifetime may end after one of the actors is released`(path: OwnerPath) async {
        let scene = Scene(stage: ActorStage())
        var gone: ActorStage? = ActorStage()
        for stage in [gone as (any Stage)?, scene.stage] {
            await stage?.run { motherboard in
                motherboard.probe(.first) { board, _ in
                    if let screen = scene.holder.screen { board.pair(with: screen) }
                }
                motherboard.registerCompletionFlow(.first) { _, _ in scene.note("ended", last: "ended") }
                motherboard.activate(.first, with: 0)
            }
        }
        gone = nil
        await scene.close(.letsGo, by: path, onOwner: false)
        #expect(scene.lines.withLock { $0 } == ["ended"])
    }

    @Test(.rule("B61")) @MainActor
    func `an activation ends by hop after the call that ends the lifetime returns`() async {
        let motherboard = Motherboard.onMain()
        let holder = ScreenHolder()
        let ended = AsyncLatch()
        motherboard.probe(.first) { board, _ in if let screen = holder.screen { board.pair(with: screen) } }
        motherboard.registerCompletionFlow(.first) { _, _ in ended.open() }
        let activation = motherboard.activate(.first, with: 0)
        OwnerPath.alwaysByHop.run { holder.close() }
        #expect(activation.state == .active)
        await ended.wait()
        #expect(activation.completion?.isCancelled == true)
    }
}
