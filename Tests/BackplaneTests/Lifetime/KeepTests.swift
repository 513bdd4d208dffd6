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

    func receive(_ command: Int) {
        component?.onFinish()
    }
}

@Suite(.timeLimit(.minutes(5))) struct KeepTests {
    @Test(.rule("B28", "M3")) @MainActor func `a board that keeps nothing does not retain a component`() {
        let motherboard = Motherboard.onMain()
        weak var component: Component?
        motherboard.probe(.first) { _, _ in
            let made = Component()
            component = made
            made.onFinish()
        }
        #expect(motherboard.activate(.first, with: 0).state == .active)
        #expect(component == nil)
    }

    @Test(.rule("B28", "M3")) @MainActor
    func `a component held by a board lives until the component finishes or the board completes`() {
        let motherboard = Motherboard.onMain()
        weak var component: Component?
        weak var board: HoldingBoard?
        motherboard.register(.first) { slot in
            let made = HoldingBoard(slot: slot)
            board = made
            return made
        }
        func activate() -> Activation<Numbers> {
            let activation = motherboard.activate(.first, with: 0)
            component = board?.component
            return activation
        }
        let finished = activate()
        #expect(component != nil)
        finished.send(0)
        #expect(component == nil)
        #expect(finished.state == .active)
        let completed = activate()
        #expect(component != nil)
        completed.complete()
        #expect(component == nil)
    }

    @Test(.rule("B28"), arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a kept component is released immediately when the lifetime ends on the owner, and the board stays`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        for isInTurn in [false, true] {
            await place.makeStage().run { motherboard in
                let holder = ScreenHolder()
                weak var component: Component?
                motherboard.probe(.first) { board, _ in
                    let made = Component()
                    component = made
                    if let screen = holder.screen { board.keep(made, for: screen) }
                }
                let activation = motherboard.activate(.first, with: 0)
                #expect(component != nil)
                let close = {
                    holder.close(closing)
                    #expect(component == nil)
                }
                if isInTurn { motherboard.scheduler.turn(close) } else { close() }
                #expect(activation.state == .active)
            }
        }
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath, arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a kept component is released on its owner when the lifetime ends elsewhere`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        let holder = ScreenHolder()
        let gone = AsyncLatch()
        let stage = await place.makeStage()
        await stage.run { motherboard in
            motherboard.probe(.first) { board, _ in
                let owner = board.slot.owner
                let component = Component {
                    owner.preconditionIsolated()
                    gone.open()
                }
                if let screen = holder.screen { board.keep(component, for: screen) }
            }
            motherboard.activate(.first, with: 0)
        }
        holder.close(closing)
        await gone.wait()
        #expect(await stage.run { $0.entry(for: .first).liveBoards.count } == 1)
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath, arguments: Place.allCases)
    func `completion releases a kept component immediately while the lifetime's owner stays`(place: Place) async {
        await place.makeStage().run { motherboard in
            let screen = Screen()
            var components: [Weak<Component>] = []
            motherboard.probe(.first) { board, _ in
                for _ in 0..<2 {
                    let component = Component()
                    components.append(Weak(component))
                    board.keep(component, for: screen)
                }
            }
            let activation = motherboard.activate(.first, with: 0)
            #expect(components.allSatisfy { $0.object != nil })
            activation.complete()
            #expect(components.allSatisfy { $0.object == nil })
        }
    }

    @Test(.rule("B28", "B80"), .everyOwnerPath, arguments: Place.allCases)
    func `a board keeps nothing for an ended lifetime, and a completed board keeps nothing`(place: Place) async {
        await place.makeStage().run { motherboard in
            let screen = Screen()
            let over = Screen()
            over.lifetime.end()
            weak var component: Component?
            motherboard.probe(.first) { board, input in
                if input == 1 { board.complete() }
                let made = Component()
                component = made
                board.keep(made, for: input == 1 ? screen : over)
            }
            #expect(motherboard.activate(.first, with: 0).state == .active)
            #expect(component == nil)
            #expect(motherboard.activate(.first, with: 1).state == .completed)
            #expect(component == nil)
            #expect(screen.lifetime.callCount == 0)
        }
    }

    @Test(.rule("B28"), arguments: Place.allCases)
    func `each kept component is released with its own lifetime`(place: Place) async {
        await place.makeStage().run { motherboard in
            let holders = [ScreenHolder(), ScreenHolder()]
            var components: [Weak<Component>] = []
            motherboard.probe(.first) { board, _ in
                for holder in holders {
                    let component = Component()
                    components.append(Weak(component))
                    if let screen = holder.screen { board.keep(component, for: screen) }
                }
            }
            motherboard.activate(.first, with: 0)
            holders[1].close(.letsGo)
            #expect(components[0].object != nil)
            #expect(components[1].object == nil)
            holders[0].close(.saysSo)
            #expect(components[0].object == nil)
        }
    }

    @Test(.rule("B28")) @MainActor
    func `a released motherboard releases kept components and removes them from lifetimes`() {
        let screen = Screen()
        weak var component: Component?
        do {
            let motherboard = Motherboard()
            motherboard.probe(.first) { board, _ in
                let made = Component()
                component = made
                board.keep(made, for: screen)
                board.pair(with: screen)
            }
            motherboard.activate(.first, with: 0)
            #expect(component != nil)
            #expect(screen.lifetime.callCount == 2)
        }
        #expect(component == nil)
        #expect(screen.lifetime.callCount == 0)
    }
}
