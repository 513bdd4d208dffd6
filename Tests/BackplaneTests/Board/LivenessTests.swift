import TestSupport
import Testing

@testable import Backplane

/// `isLive(_:)` and `liveCount(of:)` report live boards without sending a command.
@MainActor @Suite(.rule("B53"))
struct LivenessTests {
    let motherboard = Motherboard.onMain()

    @Test func `The count includes boards per activation and gate boards, but no waiting activation`() {
        motherboard.probe(.first, reuse: .perActivation)
        #expect(!motherboard.isLive(.first))
        let handles = (1...3).map { motherboard.activate(.first, with: $0) }
        #expect(motherboard.isLive(.first))
        #expect(motherboard.liveCount(of: .first) == 3)
        handles[1].complete()
        #expect(motherboard.liveCount(of: .first) == 2)
        motherboard.probe(.confirm)
        motherboard.gate(.first, by: .confirm, with: "?") { _ in .open }
        motherboard.activate(.first, with: 4)
        #expect(motherboard.liveCount(of: .confirm) == 1)
        #expect(motherboard.liveCount(of: .first) == 2, "the activation waits")
        motherboard.complete(.first)
        #expect(!motherboard.isLive(.first))
    }

    @Test func `A board that was made for the result of one call is not counted`() async {
        let asked = Asked<Numbers>()
        motherboard.probe(.first, notedIn: asked)
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        let board = await asked.board(0)
        #expect(!motherboard.isLive(.first))
        #expect(!board.slot.isLive(.first))
        board.complete()
        _ = await caller.result
    }

    @Test(.rule("B62")) func `isLive adds nothing to the graph, and a completed motherboard has no live boards`() {
        #expect(!motherboard.isLive(BoardID<Words>("nobody")))
        #expect(motherboard.graph().nodes.isEmpty)
        motherboard.enter(.first, with: 1)
        motherboard.complete()
        #expect(motherboard.liveCount(of: .first) == 0)
    }
}
