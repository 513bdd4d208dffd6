import TestSupport
import Testing

@testable import Backplane

/// An unknown board name leaves no board entry behind.
@MainActor
struct UnknownNameTests {
    let motherboard = Motherboard.onMain()
    let nobody = BoardID<Numbers>("nobody")

    @Test(.rule("B62")) func `Activating, commanding and completing an unknown name creates no board entry`() async {
        var states: [ActivationState] = []
        motherboard.probe(.start) { [nobody] board, _ in
            states.append(board.nextToBoard(nobody, with: 1).state)
            #expect(board.send(1, to: nobody) == .noSuchBoard)
            states.append(board.inner.activate(nobody, with: 1).state)
            #expect(board.inner.send(1, to: nobody) == .noSuchBoard)
        }
        motherboard.activate(.start)
        states.append(motherboard.activate(nobody, with: 1).state)
        #expect(motherboard.send(1, to: nobody) == .noSuchBoard)
        #expect(!motherboard.isLive(nobody))
        motherboard.complete(nobody)
        states.append(motherboard.outputs(of: nobody, with: 1).activation.state)
        let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: nobody, with: 1) }
        #expect(error?.code == .noSuchBoard)
        #expect(states.allSatisfy { $0 == .noSuchBoard })
        let graph = motherboard.graph()
        #expect(graph.nodes.map(\.board.name) == ["start"])
        #expect(graph.insides.map(\.graph.nodes.count) == [0])
    }

    @Test(.rule("B62", "B48")) func `A nested motherboard knows the names that are registered outside and no others`() {
        motherboard.probe(.first)
        motherboard.registerFlow(from: nobody) { _, _ in }
        let inner = motherboard.makeInner()
        #expect(inner.activate(.first, with: 1).state == .active)
        #expect(inner.activate(nobody, with: 1).state == .noSuchBoard)
        #expect(inner.send(1, to: nobody) == .noSuchBoard)
        #expect(inner.graph().nodes.map(\.board.name) == ["first"])
    }

    @Test(.rule("B62")) func `A general gate creates no board entry for an unknown name and is not asked`() {
        let logins = Asked<Doorkeeper>()
        motherboard.probe(.login, notedIn: logins)
        motherboard.gateAll(by: .login) { _ in .open }
        #expect(motherboard.activate(nobody, with: 1).state == .noSuchBoard)
        #expect(logins.boards.isEmpty)
        #expect(motherboard.graph().nodes.map(\.board.name) == ["login"])
    }

    @Test(.rule("B62", "B10")) func `A fallback receives an unknown name and may register its board`() {
        motherboard.registerFallback { [nobody] id, motherboard in
            #expect(id.name == "nobody")
            motherboard.probe(nobody)
        }
        #expect(motherboard.activate(nobody, with: 1).state == .noSuchBoard)
        #expect(motherboard.activate(nobody, with: 1).state == .active)
    }

    @Test(.rule("B62")) func `Restoring an unknown name creates no board entry`() throws {
        let other = Motherboard()
        other.probe(nobody)
        other.activate(nobody, with: 1)
        #expect(motherboard.restore(other.snapshot()).map(\.obstacle) == [.noSuchBoard])
        #expect(motherboard.graph().nodes.isEmpty)
    }
}
