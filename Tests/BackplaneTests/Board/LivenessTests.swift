@testable import Backplane
import TestSupport
import Testing

/// `isLive(_:)` and `liveCount(of:)` report live boards without sending a command.
@MainActor
struct LivenessTests {
    let motherboard = Motherboard.onMain()

    @Test(.rule("B53")) func `A board is live until its end`() {
        motherboard.probe(.first)
        #expect(!motherboard.isLive(.first))
        let activation = motherboard.activate(.first, with: 1)
        #expect(motherboard.isLive(.first))
        #expect(motherboard.liveCount(of: .first) == 1)
        activation.complete()
        #expect(!motherboard.isLive(.first))
        #expect(motherboard.liveCount(of: .first) == 0)
    }

    @Test(.rule("B53")) func `The count includes boards per activation and gate boards, but no waiting activation`() {
        motherboard.probe(.first, reuse: .perActivation)
        let handles = (1...3).map { motherboard.activate(.first, with: $0) }
        #expect(motherboard.liveCount(of: .first) == 3)
        handles[1].complete()
        #expect(motherboard.liveCount(of: .first) == 2)
        motherboard.probe(.confirm)
        motherboard.gate(.first, by: .confirm, with: "?") { _ in .open }
        motherboard.activate(.first, with: 4)
        #expect(motherboard.liveCount(of: .confirm) == 1)
        #expect(motherboard.liveCount(of: .first) == 2, "the activation waits")
    }

    @Test(.rule("B53")) func `A board that only the caller of a result knows is not counted`() async {
        let asked = Asked<Numbers>()
        motherboard.probe(.first, notedIn: asked)
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        let board = await asked.board(0)
        #expect(!motherboard.isLive(.first))
        #expect(motherboard.liveCount(of: .first) == 0)
        #expect(!board.slot.isLive(.first))
        board.complete()
        _ = await caller.result
    }

    @Test(.rule("B53")) func `A motherboard counts its own boards, and a slot counts its siblings`() {
        let inner = motherboard.makeInner()
        motherboard.probe(.first)
        motherboard.activate(.first, with: 1)
        var slot: Slot<GuardedPage>?
        motherboard.probe(.start) { board, _ in slot = board.slot }
        motherboard.activate(.start)
        #expect(!inner.isLive(.first))
        inner.activate(.first, with: 1)
        #expect(inner.isLive(.first))
        #expect(slot?.isLive(.first) == true)
        #expect(slot?.liveCount(of: .first) == 1)
        #expect(slot?.isLive(.second) == false)
        motherboard.complete(.start)
        #expect(slot?.isLive(.first) == false, "a completed board has no siblings")
    }

    @Test(.rule("B53", "B62"))
    func `A query adds nothing to the graph, and a completed motherboard has no live boards`() {
        #expect(!motherboard.isLive(BoardID<Words>("nobody")))
        #expect(motherboard.graph().nodes.isEmpty)
        motherboard.probe(.first)
        motherboard.activate(.first, with: 1)
        motherboard.complete()
        #expect(!motherboard.isLive(.first))
        #expect(motherboard.liveCount(of: .first) == 0)
    }
}
