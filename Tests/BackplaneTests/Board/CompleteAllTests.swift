@testable import Backplane
import TestSupport
import Testing

/// `completeAllBoards()` ends every board of a motherboard and leaves the motherboard usable.
@MainActor
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

    @Test(.rule("B54"))
    func `Boards end in the order of their latest activations and completion flows run afterwards`() {
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

    @Test(.rule("B54")) func `A board that is activated while waiting activations give up stays live`() {
        motherboard.register(.confirm) { [motherboard] slot in
            ProbeBoard<Question>(slot: slot, onEnd: { _, _ in motherboard.activate(.second, with: 1) })
        }
        motherboard.gate(.first, by: .confirm, with: "?") { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        motherboard.completeAllBoards()
        #expect(first.state == .completed)
        #expect(!motherboard.isLive(.confirm))
        #expect(motherboard.isLive(.second))
    }

    @Test(.rule("B54")) func `A motherboard keeps registrations, flows, gates, links and observers`() {
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

    @Test(.rule("B54", "B50")) func `A waiting activation is cancelled without a denial, and the gate board ends`() {
        let logins = Asked<Doorkeeper>()
        motherboard.probe(.login, notedIn: logins)
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.registerDenialFlow { [journal] denial, _ in journal.note("\(denial)") }
        let waiting = motherboard.activate(.first, with: 1)
        motherboard.completeAllBoards()
        #expect(waiting.state == .completed)
        #expect(waiting.completion.map { "\($0)" } == "cancelled")
        #expect(!motherboard.isLive(.login))
        #expect(journal.lines.isEmpty)
        #expect(motherboard.activate(.first, with: 1).state == .waiting)
        #expect(logins.boards.count == 2)
    }

    @Test(.rule("B54")) func `An activation waiting on a nested motherboard is denied when its board ends`() {
        motherboard.probe(.login)
        motherboard.gate(.first, by: .login) { _ in .open }
        let inner = motherboard.makeInner()
        let inside = inner.activate(.first, with: 1)
        motherboard.completeAllBoards()
        #expect(inside.state == .denied(Denial(of: .first, by: .login, .ownerGone)))
        #expect(inner.activate(.first, with: 1).state == .ownerGone)
    }

    @Test(.rule("B54")) func `A board activated by a completion flow stays live`() {
        motherboard.registerCompletionFlow(.first) { _, motherboard in motherboard.activate(.first, with: 2) }
        motherboard.activate(.first, with: 1)
        motherboard.completeAllBoards()
        #expect(motherboard.isLive(.first))
    }

    @Test(.rule("B54")) func `A board may complete all boards, including itself, during its activation`() {
        motherboard.probe(.start) { [motherboard] _, _ in motherboard.completeAllBoards() }
        motherboard.activate(.first, with: 1)
        #expect(motherboard.activate(.start).state == .completed)
        #expect(!motherboard.isLive(.first))
    }

    @Test(.rule("B54")) func `A completed motherboard ends no boards`() {
        motherboard.complete()
        motherboard.completeAllBoards()
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B27", "B32")) func `The boards of an ID end in the order of their creation`() {
        var made = 0
        motherboard.register(.confirm) { [journal] slot in
            made += 1
            let number = made
            return ProbeBoard<Question>(slot: slot, onEnd: { _, _ in journal.note("confirm \(number)") })
        }
        motherboard.probe(.words)
        motherboard.gate(.words, by: .confirm, asking: { $0 }, verdict: { $0 ? .open : .closed })
        motherboard.activate(.confirm, with: "tips")
        motherboard.activate(.words, with: "one")
        motherboard.activate(.words, with: "two")
        motherboard.complete(.confirm)
        #expect(journal.lines == ["confirm 1", "confirm 2", "confirm 3"])
    }
}
