import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@Suite(.timeLimit(.minutes(5))) struct PairTests {
    @Test(.rule("B28"), arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a paired activation is cancelled immediately when the lifetime ends on the owner`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        for isInTurn in [false, true] {
            await place.makeStage().run { motherboard in
                let holder = ScreenHolder()
                let journal = Journal()
                motherboard.pairWithScreen(.first) { _ in holder }
                motherboard.registerCompletionFlow(.first) { completion, _ in journal.note("\(completion)") }
                let activation = motherboard.activate(.first, with: 0)
                let close = {
                    holder.close(closing)
                    #expect(activation.state == .completed)
                }
                if isInTurn { motherboard.scheduler.turn(close) } else { close() }
                #expect(journal.lines == ["cancelled"])
            }
        }
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath, arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a paired activation is cancelled on its owner when the lifetime ends elsewhere`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        let holder = ScreenHolder()
        let completed = AsyncLatch()
        let stage = await place.makeStage()
        await stage.run { motherboard in
            motherboard.pairWithScreen(.first) { _ in holder }
            motherboard.registerCompletionFlow(.first) { completion, motherboard in
                motherboard.scheduler.owner.preconditionIsolated()
                if case .cancelled = completion { completed.open() }
            }
            motherboard.activate(.first, with: 0)
        }
        holder.close(closing)
        await completed.wait()
        #expect(await stage.run { $0.entry(for: .first).liveBoards.isEmpty })
    }

    @Test(.rule("B28"), arguments: Place.allCases)
    func `the lifetime of a superseded activation does not end the later activation`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holders = [ScreenHolder(), ScreenHolder()]
            motherboard.pairWithScreen(.first) { holders[$0] }
            motherboard.activate(.first, with: 0)
            let later = motherboard.activate(.first, with: 1)
            holders[0].close()
            #expect(later.state == .active)
            holders[1].close()
            #expect(later.state == .completed)
        }
    }

    @Test(.rule("B28"), arguments: Place.allCases, [0, 1])
    func `an activation paired with two objects ends when either lifetime ends`(place: Place, first: Int) async {
        await place.makeStage().run { motherboard in
            let screens = [Screen(), Screen()]
            motherboard.probe(.first) { board, _ in
                for screen in screens { board.pair(with: screen) }
            }
            let activation = motherboard.activate(.first, with: 0)
            screens[first].lifetime.end()
            #expect(activation.state == .completed)
        }
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath, arguments: Place.allCases)
    func `pairing with an ended lifetime cancels the activation immediately`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            holder.close(.saysSo)
            let journal = Journal()
            motherboard.pairWithScreen(.first) { _ in holder }
            motherboard.registerCompletionFlow(.first) { completion, _ in journal.note("\(completion)") }
            #expect(motherboard.activate(.first, with: 0).state == .completed)
            #expect(journal.lines == ["cancelled"])
            #expect(holder.screen?.lifetime.callCount == 0)
        }
    }

    @Test(.rule("B28"), arguments: Place.allCases)
    func `boards paired with one object end in the order of pairing`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            let journal = Journal()
            let ids = (0..<20).map { BoardID<Numbers>("board \($0)") }
            for id in ids {
                motherboard.pairWithScreen(id) { _ in holder }
                motherboard.registerCompletionFlow(id) { _, _ in journal.note(id.name) }
                motherboard.activate(id, with: 0)
            }
            holder.close()
            #expect(journal.lines == ids.map(\.name))
        }
    }

    @Test(.rule("B28"), arguments: Place.allCases)
    func `a lifetime that ends after the board has no effect`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            let journal = Journal()
            motherboard.probe(.first) { board, input in
                if input == 0 { board.complete() }
                if input < 2, let screen = holder.screen { board.pair(with: screen) }
            }
            motherboard.registerCompletionFlow(.first) { completion, _ in journal.note("\(completion)") }
            motherboard.activate(.first, with: 0)
            #expect(holder.screen?.lifetime.callCount == 0)
            motherboard.activate(.first, with: 1).complete()
            let later = motherboard.activate(.first, with: 2)
            holder.close()
            #expect(later.state == .active)
            #expect(journal.lines == ["done", "done"])
        }
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath, arguments: Place.allCases)
    func `a lifetime retains neither ended boards nor superseded activations`(
        place: Place
    ) async {
        await place.makeStage().run { motherboard in
            let screen = Screen()
            motherboard.probe(.first) { board, _ in
                board.keep(Component(), for: screen)
                board.pair(with: screen)
            }
            for input in 0..<10 {
                let activation = motherboard.activate(.first, with: input)
                #expect(screen.lifetime.callCount == 2)
                activation.complete()
                #expect(screen.lifetime.callCount == 0)
            }
            motherboard.probe(.second) { board, _ in board.pair(with: screen) }
            for input in 0..<10 { motherboard.activate(.second, with: input) }
            #expect(screen.lifetime.callCount == 1)
        }
    }

    @Test(.rule("B28"), arguments: Place.allCases)
    func `the lifetime of a superseded activation removes its bindings without ending the board`(
        place: Place
    ) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            var slot: Slot<Numbers>?
            motherboard.probe(.first) { board, input in
                slot = board.slot
                guard input == 0, let screen = holder.screen else { return }
                board.keep(Component(), for: screen)
                board.pair(with: screen)
            }
            motherboard.activate(.first, with: 0)
            let later = motherboard.activate(.first, with: 1)
            #expect(slot?.liveBoard.extras?.bindings?.count == 2)
            holder.close(.letsGo)
            #expect(later.state == .active)
            #expect(slot?.liveBoard.extras?.bindings?.count == 0)
        }
    }

    @Test(.rule("B28"), arguments: Place.allCases)
    func `an activation paired with two objects ends with the first, and the second has no effect`(place: Place) async {
        for first in 0..<2 {
            await place.makeStage().run { motherboard in
                let holders = [ScreenHolder(), ScreenHolder()]
                motherboard.probe(.first) { board, _ in
                    for holder in holders { if let screen = holder.screen { board.pair(with: screen) } }
                }
                let activation = motherboard.activate(.first, with: 0)
                holders[first].close()
                #expect(activation.state == .completed)
                holders[1 - first].close()
            }
        }
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath) func `a lifetime may end after the actor is released`() async {
        let holder = ScreenHolder()
        var stage: ActorStage? = ActorStage()
        weak var gone: ActorStage?
        gone = stage
        await stage?.run { motherboard in
            motherboard.pairWithScreen(.first) { _ in holder }
            motherboard.activate(.first, with: 0)
        }
        stage = nil
        #expect(gone == nil)
        holder.close()
    }
}

extension Motherboard {
    /// Registers a board that pairs each activation with the screen of the holder for its input.
    fileprivate func pairWithScreen(_ id: BoardID<Numbers>, _ holder: @escaping (Int) -> ScreenHolder) {
        probe(id) { board, input in
            if let screen = holder(input).screen { board.pair(with: screen) }
        }
    }
}
