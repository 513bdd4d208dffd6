import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// An actor with a motherboard and a board whose task never ends by itself.
private actor Session {
    private lazy var motherboard = Motherboard(owner: self)
    private let gone: AsyncLatch

    init(gone: AsyncLatch) {
        self.gone = gone
    }

    deinit { gone.open() }

    func begin(for screen: Screen?, on clock: ManualClock) {
        if let screen { motherboard.pair(with: screen) }
        motherboard.probe(.first) { board, _ in
            board.task { while true { try await clock.sleep(for: .seconds(1)) } }
        }
        motherboard.activate(.first, with: 0)
    }
}

@Suite(.rule("B64"), .timeLimit(.minutes(5))) struct PairedMotherboardTests {
    @Test(arguments: OwnerPath.allCases, ScreenHolder.Closing.allCases)
    func `an actor with an endless task is released when the paired lifetime ends`(
        path: OwnerPath,
        closing: ScreenHolder.Closing
    ) async {
        let holder = ScreenHolder()
        let gone = AsyncLatch()
        let clock = ManualClock()
        var session: Session? = Session(gone: gone)
        weak var weakSession: Session?
        weakSession = session
        await session?.begin(for: holder.screen, on: clock)
        await clock.sleepers(atLeast: 1)
        session = nil
        // The task retains the session, so the pairing is necessary.
        #expect(weakSession != nil)
        path.run { holder.close(closing) }
        await gone.wait()
        #expect(weakSession == nil)
    }

    @Test(arguments: Place.allCases, ScreenHolder.Closing.allCases)
    func `a paired motherboard cancels its boards and completes when the lifetime ends on its actor`(
        place: Place,
        closing: ScreenHolder.Closing
    ) async {
        await place.makeStage().run { motherboard in
            let holder = ScreenHolder()
            let journal = Journal()
            if let screen = holder.screen { motherboard.pair(with: screen) }
            motherboard.noteCompletions(of: .first, in: journal)
            motherboard.enter(.first, with: 0)
            holder.close(closing)
            #expect(journal.lines == ["cancelled"])
            #expect(motherboard.activate(.first, with: 1).state == .ownerGone)
        }
    }

    @Test(.rule("B80"), .everyOwnerPath) @MainActor
    func `a motherboard paired with an ended lifetime completes immediately`() {
        let screen = Screen()
        screen.lifetime.end()
        let motherboard = Motherboard.onMain()
        motherboard.pair(with: screen)
        #expect(motherboard.isCompleted)
    }

    @Test @MainActor func `a motherboard paired with two objects completes when the first lifetime ends`() {
        let screens = [Screen(), Screen()]
        let motherboard = Motherboard.onMain()
        for screen in screens { motherboard.pair(with: screen) }
        screens[1].lifetime.end()
        #expect(motherboard.isCompleted)
        #expect(screens[0].lifetime.callCount == 0)
        screens[0].lifetime.end()
    }

    @Test @MainActor func `a lifetime retains no completed or released motherboards`() {
        let screen = Screen()
        let motherboard = Motherboard.onMain()
        motherboard.pair(with: screen)
        do {
            let other = Motherboard.onMain()
            other.pair(with: screen)
            #expect(screen.lifetime.callCount == 2)
        }
        #expect(screen.lifetime.callCount == 1)
        motherboard.complete()
        #expect(screen.lifetime.callCount == 0)
        motherboard.pair(with: screen)
        #expect(screen.lifetime.callCount == 0)
    }

    @Test @MainActor func `a nested motherboard can be paired and completes without its board`() {
        let screen = Screen()
        let motherboard = Motherboard.onMain()
        motherboard.probe(.second)
        motherboard.probe(.first) { board, _ in
            board.inner.pair(with: screen)
            board.inner.activate(.second, with: 0)
        }
        let activation = motherboard.activate(.first, with: 0)
        screen.lifetime.end()
        #expect(activation.state == .active)
        #expect(activation.anyLiveBoard?.nestedIfAny?.isCompleted == true)
    }
}
