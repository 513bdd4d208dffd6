import TestSupport
import Testing

@testable import Backplane

/// `completeAllBoards()` ends every board of a motherboard and leaves the motherboard usable.
@MainActor @Suite(.rule("B54"))
struct CompleteAllTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.register(id) { [journal] slot in
                ProbeBoard<Numbers>(slot: slot, onEnd: { board, _ in journal.note("\(board.slot.id) ends") })
            }
            motherboard.registerCompletionFlow(id) { [journal] completion, _ in journal.note("\(id) \(completion)") }
        }
        motherboard.register(.third, reuse: .perActivation) { [journal] slot in
            ProbeBoard<Numbers>(
                slot: slot,
                onActivate: { board, input in board.inner.activate(.figures, with: input) },
                onEnd: { _, _ in journal.note("third ends") }
            )
        }
        motherboard.register(.figures) { [journal] slot, input in
            ProbeBoard<Figures>(slot: slot, onEnd: { _, _ in journal.note("figures \(input) ends") })
        }
    }

    @Test func `Boards end in the order of their latest activations and completion flows run afterwards`() {
        let handles = [
            motherboard.activate(.second, with: 1), motherboard.activate(.third, with: 1),
            motherboard.activate(.first, with: 1), motherboard.activate(.third, with: 2),
            motherboard.activate(.second, with: 2),
        ]
        motherboard.completeAllBoards()
        #expect(
            journal.lines == [
                "figures 1 ends", "third ends", "first ends", "figures 2 ends", "third ends", "second ends",
                "first cancelled", "second cancelled",
            ]
        )
        #expect(handles.map(\.state) == [.superseded, .completed, .completed, .completed, .completed])
        #expect(motherboard.snapshot().boards.isEmpty)
    }

    @Test func `A motherboard keeps registrations, flows, gates, links and observers`() {
        let events = motherboard.observeEvents()
        motherboard.probe(.login)
        motherboard.registerLink("first/{n}", to: .first)
        motherboard.gate(.second, by: .login) { _ in .open }
        motherboard.registerDenialFlow { [journal] denial, _ in journal.note("denied \(denial.board)") }
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("action") }
        let graph = motherboard.graph()
        motherboard.activate(.first, with: 1)
        motherboard.completeAllBoards()
        journal.note("again")
        #expect(motherboard.graph() == graph)
        #expect(motherboard.open("/first/1") == .opened)
        #expect(motherboard.activate(.second, with: 1).state == .waiting)
        motherboard.complete(.login)
        motherboard.sendAction(Wish.returnHome)
        motherboard.complete(.first)
        #expect(
            journal.lines == [
                "first ends", "first cancelled", "again", "denied second", "action", "first ends", "first done",
            ]
        )
        #expect(events.boards(.completed) == ["first", "login", "first"])
    }

    @Test func `A board may complete all boards, including itself, and a completion flow may activate one again`() {
        motherboard.probe(.start) { [motherboard] _, _ in motherboard.completeAllBoards() }
        motherboard.registerCompletionFlow(.first) { _, motherboard in motherboard.activate(.first, with: 2) }
        motherboard.activate(.second, with: 1)
        motherboard.activate(.first, with: 1)
        #expect(motherboard.activate(.start).state == .completed)
        #expect(!motherboard.isLive(.second))
        #expect(motherboard.isLive(.first))
    }
}
