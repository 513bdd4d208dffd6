import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The end of a lifetime on every system, whether or not code can tell which actor it runs on.
@Suite(.rule("B28", "B61"), .timeLimit(.minutes(5))) struct LifetimePathTests {
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

    /// Plays a scene for both places where a lifetime ends and both ways in which it does.
    private func play(
        by path: OwnerPath,
        at place: Place,
        _ set: @Sendable (Motherboard, Scene, Screen) -> Void,
        then check: @Sendable (Motherboard, Scene) -> Void
    ) async {
        for onOwner in [true, false] {
            for closing in ScreenHolder.Closing.allCases {
                let scene = Scene(stage: await place.makeStage())
                await scene.stage.run { motherboard in
                    if let screen = scene.holder.screen { set(motherboard, scene, screen) }
                }
                await scene.close(closing, by: path, onOwner: onOwner)
                await scene.stage.run { check($0, scene) }
            }
        }
    }

    private static let numbers = (0..<20).map { "\($0)" }

    @Test(arguments: OwnerPath.allCases, Place.allCases)
    func `boards paired with one lifetime end in the order of pairing`(path: OwnerPath, place: Place) async {
        await play(by: path, at: place) { motherboard, scene, screen in
            for number in Self.numbers {
                let id = BoardID<Numbers>(number)
                motherboard.registerCompletionFlow(id) { completion, motherboard in
                    motherboard.scheduler.owner.preconditionIsolated()
                    #expect(completion.isCancelled)
                    scene.note(number, last: "19")
                }
                motherboard.enter(id, with: 0).pair(with: screen)
            }
        } then: { motherboard, scene in
            #expect(scene.lines.withLock { $0 } == Self.numbers)
            #expect(!motherboard.isLive(BoardID<Numbers>("0")))
        }
    }

    @Test(arguments: OwnerPath.allCases, Place.allCases)
    func `kept components are released on their actor, in order`(path: OwnerPath, place: Place) async {
        await play(by: path, at: place) { motherboard, scene, screen in
            let board = motherboard.enter(.first, with: 0)
            let owner = board.slot.owner
            for number in Self.numbers {
                let component = Component {
                    owner.preconditionIsolated()
                    scene.note(number, last: "19")
                }
                board.keep(component, for: screen)
            }
        } then: { motherboard, scene in
            #expect(scene.lines.withLock { $0 } == Self.numbers)
            #expect(motherboard.isLive(.first))
        }
    }

    @Test(arguments: OwnerPath.allCases)
    func `if a lifetime ends on a known actor, its boards end before the call returns`(path: OwnerPath) async {
        let holder = ScreenHolder()
        let main = await MainStage()
        let other = Scene(stage: ActorStage())
        for stage in [main, other.stage] as [any Stage] {
            await stage.run { motherboard in
                let board = motherboard.enter(.first, with: 0)
                if let screen = holder.screen { board.pair(with: screen) }
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

    @Test(arguments: OwnerPath.allCases)
    func `one lifetime ends boards on several actors, in the order of pairing on each actor`(path: OwnerPath) async {
        let scenes = [Scene(stage: ActorStage()), Scene(stage: ActorStage()), Scene(stage: await MainStage())]
        let holder = ScreenHolder()
        for number in Self.numbers {
            for scene in scenes {
                await scene.stage.run { motherboard in
                    let id = BoardID<Numbers>(number)
                    motherboard.registerCompletionFlow(id) { _, _ in scene.note(number, last: "19") }
                    let board = motherboard.enter(id, with: 0)
                    if let screen = holder.screen { board.pair(with: screen) }
                }
            }
        }
        path.run { holder.close() }
        for scene in scenes {
            await scene.over.wait()
            #expect(scene.lines.withLock { $0 } == Self.numbers)
        }
    }

    @Test(arguments: OwnerPath.allCases)
    func `a lifetime may end after one of the actors is released`(path: OwnerPath) async {
        let scene = Scene(stage: ActorStage())
        var gone: ActorStage? = ActorStage()
        for stage in [gone as (any Stage)?, scene.stage] {
            await stage?.run { motherboard in
                motherboard.registerCompletionFlow(.first) { _, _ in scene.note("ended", last: "ended") }
                let board = motherboard.enter(.first, with: 0)
                if let screen = scene.holder.screen { board.pair(with: screen) }
            }
        }
        gone = nil
        await scene.close(.letsGo, by: path, onOwner: false)
        #expect(scene.lines.withLock { $0 } == ["ended"])
    }

    @Test @MainActor
    func `an activation ends one hop after the call that ends the lifetime has returned`() async {
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
