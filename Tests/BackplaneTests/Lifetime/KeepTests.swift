import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A board that holds a component until the component reports that it has finished.
private final class HoldingBoard: Board {
    let slot: Slot<Numbers>
    private(set) var component: Component?

    init(slot: Slot<Numbers>) {
        self.slot = slot
    }

    func activate(with input: Int) {
        let component = Component()
        component.onFinish = { [weak self] in self?.component = nil }
        self.component = component
    }

    func receive(_ command: Int) { component?.onFinish() }
}

/// Components of boards: see also `LifetimePathTests`.
@Suite(.rule("B28"), .timeLimit(.minutes(5))) struct KeepTests {
    @Test(.rule("M3")) @MainActor
    func `a component held by a board lives until the component finishes or the board completes`() {
        let motherboard = Motherboard.onMain()
        weak var component: Component?
        weak var board: HoldingBoard?
        motherboard.register(.first) { slot in
            let made = HoldingBoard(slot: slot)
            board = made
            return made
        }
        for isFinished in [true, false] {
            let activation = motherboard.activate(.first, with: 0)
            component = board?.component
            #expect(component != nil)
            if isFinished { activation.send(0) } else { activation.complete() }
            #expect(component == nil)
            #expect(activation.state == (isFinished ? .active : .completed))
        }
    }

    @Test(arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a kept component is released immediately when the lifetime ends on the owner, and the board stays`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        for isInTurn in [false, true] {
            await place.makeStage().run { motherboard in
                // The second holder closes later, and has a component of its own.
                let holders = [ScreenHolder(), ScreenHolder()]
                let board = motherboard.enter(.first, with: 0)
                let components = holders.map { board.keepComponent(for: $0) }
                #expect(components.allSatisfy { $0.object != nil })
                let close = {
                    holders[0].close(closing)
                    #expect(components[0].object == nil)
                    #expect(components[1].object != nil)
                }
                if isInTurn { motherboard.scheduler.turn(close) } else { close() }
                #expect(board.slot.isLive)
                holders[1].close(closing)
                #expect(components[1].object == nil)
            }
        }
    }

    @Test(.rule("B80"), .everyOwnerPath, arguments: Place.allCases)
    func `completion releases kept components immediately while the lifetime's owner stays`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            let board = motherboard.enter(.first, with: 0)
            let components = (0..<2).map { _ in board.keepComponent(for: holder) }
            #expect(components.allSatisfy { $0.object != nil })
            board.complete()
            #expect(components.allSatisfy { $0.object == nil })
        }
    }

    @Test(.rule("B80"), .everyOwnerPath, arguments: Place.allCases)
    func `a board keeps nothing for an ended lifetime, and a completed board keeps nothing`(place: Place) async {
        await place.makeStage().run { motherboard in
            let (holder, over) = (ScreenHolder(), ScreenHolder())
            over.close(.saysSo)
            let board = motherboard.enter(.first, with: 0)
            #expect(board.keepComponent(for: over).object == nil)
            #expect(board.slot.isLive)
            board.complete()
            #expect(board.keepComponent(for: holder).object == nil)
            #expect(holder.screen?.lifetime.callCount == 0)
        }
    }

    @Test @MainActor func `a released motherboard releases kept components and removes them from lifetimes`() {
        let screen = Screen()
        weak var component: Component?
        do {
            let motherboard = Motherboard()
            let board = motherboard.enter(.first, with: 0)
            let made = Component()
            component = made
            board.keep(made, for: screen)
            board.pair(with: screen)
            #expect(screen.lifetime.callCount == 2)
        }
        #expect(component == nil)
        #expect(screen.lifetime.callCount == 0)
    }
}

extension ProbeBoard {
    /// Keeps a new component for the screen of `holder`.
    fileprivate func keepComponent(for holder: ScreenHolder) -> Weak<Component> {
        let component = Component()
        if let screen = holder.screen { keep(component, for: screen) }
        return Weak(component)
    }
}
