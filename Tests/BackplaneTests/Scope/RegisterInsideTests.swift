import TestSupport
import Testing

@testable import Backplane

/// A board inside a scope is registered by one call.
@Suite(.rule("B81"))
@MainActor struct RegisterInsideTests {
    private let motherboard = Motherboard.onMain()
    private let journal = Journal()
    private let signIns = Asked<SignIn>()

    private func furnish() {
        let journal = journal
        motherboard.probe(.signIn, notedIn: signIns)
        motherboard.probe(.session)
        motherboard.registerScope(.session, enteredBy: .signIn) { $0.account }
        motherboard.register(.course, inside: .session) { slot, account in
            ProbeBoard(slot: slot, onActivate: { board, number in journal.note("\(account.name) \(number)") })
        }
        motherboard.register(Words.id, inside: .session) { slot, account in
            Line(slot: slot, write: { journal.note("\(account.name) \($0)") })
        }
        motherboard.registerLink("course/{id}", to: .course)
    }

    private struct Line: Board {
        let slot: Slot<Words>
        let write: (String) -> Void
        func activate(with text: String) { write(text) }
    }

    @Test func `an activation and a link ask the entrance, and each user's scope makes its own boards`() {
        furnish()
        #expect(motherboard.activate(.course, with: 1).state == .waiting)
        #expect(motherboard.open("/course/2") == .waiting)
        signIns.boards.last?.send(.signedIn(Account("ada")))
        motherboard.activate(Words.id, with: "a")
        motherboard.complete(.session)
        #expect(!motherboard.isLive(.course))
        #expect(motherboard.activate(.course, with: 3).state == .waiting)
        signIns.boards.last?.send(.signedIn(Account("bob")))
        #expect(journal.lines == ["ada 1", "ada 2", "ada a", "bob 3"])
    }

    @Test func `the input lives as long as the scope, and the graph has the board inside the scope`() {
        furnish()
        weak var account: Account?
        do {
            let made = Account("ada")
            account = made
            motherboard.activate(.session, with: made)
        }
        #expect(account != nil)
        motherboard.activate(.course, with: 1)
        let graph = motherboard.graph()
        #expect(graph.edges.contains(BoardGraph.Edge(from: BoardID.session, to: BoardID.course, kind: .scope)))
        #expect(graph.nodes.first { $0.board == BoardID.course }?.isRegistered == true)
        motherboard.complete(.session)
        #expect(account == nil)
    }

    #if os(macOS) || os(Linux)
        @Test func `registering inside a scope twice traps, unless the call replaces the registration`() async {
            furnish()
            motherboard.register(.course, inside: .session, replacing: true) { slot, _ in ProbeBoard(slot: slot) }
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    let motherboard = Motherboard.onMain()
                    motherboard.declare(.course, inside: .session)
                    motherboard.register(.course, inside: .session) { slot, _ in ProbeBoard(slot: slot) }
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Board 'course' is in a scope already"))
        }

        @Test func `a board registered inside a live scope says when to register it`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    let motherboard = Motherboard.onMain()
                    motherboard.probe(.session)
                    motherboard.activate(.session, with: Account("ada"))
                    motherboard.register(.course, inside: .session) { slot, _ in ProbeBoard(slot: slot) }
                    motherboard.activate(.course, with: 1)
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Board 'course' was registered inside 'session' while that scope was live."))
        }
    #endif
}
