import TestSupport
import Testing

@testable import Backplane

/// Paired activations: see also `LifetimePathTests`.
@Suite(.rule("B28"), .timeLimit(.minutes(5))) struct PairTests {
    @Test(arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a paired activation is cancelled immediately when the lifetime ends on the owner`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        for isInTurn in [false, true] {
            await place.makeStage().run { motherboard in
                let holder = ScreenHolder()
                let journal = Journal()
                motherboard.pairWithScreen { _ in holder }
                motherboard.noteCompletions(of: .first, in: journal)
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

    @Test(.rule("B80"), .everyOwnerPath, arguments: Place.allCases)
    func `pairing with an ended lifetime cancels the activation immediately`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            holder.close(.saysSo)
            let journal = Journal()
            motherboard.pairWithScreen { _ in holder }
            motherboard.noteCompletions(of: .first, in: journal)
            #expect(motherboard.activate(.first, with: 0).state == .completed)
            #expect(journal.lines == ["cancelled"])
            #expect(holder.screen?.lifetime.callCount == 0)
        }
    }

    @Test(.rule("B80"), .everyOwnerPath, arguments: Place.allCases)
    func `a lifetime does not retain ended boards or superseded activations`(place: Place) async {
        await place.makeStage().run { motherboard in
            let screen = Screen()
            motherboard.probe(.first) { board, input in
                if input == 0 { board.complete() }
                board.keep(Component(), for: screen)
                board.pair(with: screen)
            }
            motherboard.activate(.first, with: 0)
            #expect(screen.lifetime.callCount == 0)
            for input in 1..<10 {
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

    @Test(arguments: Place.allCases)
    func `when the lifetime of a superseded activation ends, the board stays live`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holders = [ScreenHolder(), ScreenHolder()]
            var slot: Slot<Numbers>?
            motherboard.probe(.first) { board, input in
                slot = board.slot
                guard input < 2, let screen = holders[input].screen else { return }
                board.keep(Component(), for: screen)
                board.pair(with: screen)
            }
            motherboard.activate(.first, with: 0)
            let later = motherboard.activate(.first, with: 2)
            #expect(slot?.liveBoard.extras?.bindings?.count == 2)
            holders[0].close(.letsGo)
            #expect(later.state == .active)
            #expect(slot?.liveBoard.extras?.bindings?.count == 0)
            let last = motherboard.activate(.first, with: 1)
            holders[1].close()
            #expect(last.state == .completed)
        }
    }
}

extension Motherboard {
    /// Registers the first board, which pairs each activation with the screen of a holder.
    fileprivate func pairWithScreen(_ holder: @escaping (Int) -> ScreenHolder) {
        probe(.first) { board, input in
            if let screen = holder(input).screen { board.pair(with: screen) }
        }
    }
}
