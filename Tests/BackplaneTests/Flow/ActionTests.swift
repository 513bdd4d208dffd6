import Backplane
import TestSupport
import Testing

@MainActor @Suite(.rule("B22"))
struct ActionTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test func `an action bubbles up level by level until a handler handles the action`() {
        motherboard.probe(.third) { board, _ in board.sendAction(Wish.returnHome) }
        motherboard.probe(.second) { [journal] board, _ in
            board.inner.registerBubblingFlow { (_: Wish, _) -> Bool in
                journal.note("inner")
                return false
            }
            board.inner.activate(.third, with: 0)
        }
        motherboard.probe(.first) { [journal] board, _ in
            board.inner.registerGeneralFlow { (_: Wish, given) in
                journal.note(given === board.inner ? "middle" : "other")
            }
            board.inner.activate(.second, with: 0)
        }
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("outer") }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["inner", "middle"])
    }

    @Test func `a handler that is removed during the delivery of an action is not asked`() {
        var token: Registration?
        motherboard.registerBubblingFlow { (_: Wish, motherboard) -> Bool in
            if let token { motherboard.remove(token) }
            return false
        }
        token = motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("removed") }
        motherboard.sendAction(Wish.returnHome)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B16")) func `a general flow with a weak target ends with the target`() {
        let record = motherboard.observeEvents()
        motherboard.registerBubblingFlow { [journal] (_: Wish, _) -> Bool in
            journal.note("asked")
            return false
        }
        var target: Journal? = Journal()
        weak var captured: Journal?
        if let target {
            let helper = Journal()
            captured = helper
            motherboard.registerGeneralFlow(weak: target) { (target, wish: Wish) in
                helper.note("")
                target.note("\(wish)")
            }
        }
        motherboard.sendAction(Wish.returnHome)
        #expect(target?.lines == ["returnHome"])
        #expect(record.boards(.action) == ["-"])
        weak let gone = target
        target = nil
        #expect(gone == nil)
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("next") }
        motherboard.sendAction(Wish.returnHome)
        #expect(journal.lines == ["asked", "asked", "next"])
        #expect(captured == nil, "the flow removed itself, and released its handler")
    }

    @Test(.rule("B16")) func `after the release of its target, an action goes up from a general flow`() {
        motherboard.registerGeneralFlow { [journal] (wish: Wish, _) in journal.note("\(wish)") }
        let inner = motherboard.makeInner()
        inner.registerGeneralFlow(weak: Journal()) { (target, _: Wish) in target.note("gone") }
        inner.sendAction(Wish.returnHome)
        inner.sendAction(Wish.returnHome)
        #expect(journal.lines == ["returnHome", "returnHome"])
    }

    @Test func `an action sent from a completed nested motherboard still bubbles up`() {
        motherboard.registerGeneralFlow { [journal] (wish: Wish, _) in journal.note("\(wish)") }
        let inner = motherboard.makeInner()
        inner.complete()
        inner.sendAction(Wish.returnHome)
        #expect(journal.lines == ["returnHome"])
    }

    @Test func `an unhandled action raises an event at the root`() {
        struct Other: BoardFlowAction {}
        let record = motherboard.observeEvents()
        let token = motherboard.registerGeneralFlow { (_: Wish, _) in }
        motherboard.probe(.first) { board, _ in board.sendAction(Other()) }
        motherboard.activate(.first, with: 0)
        #expect(record.boards(.unhandledAction) == ["first"])
        motherboard.sendAction(Wish.returnHome)
        motherboard.remove(token)
        motherboard.sendAction(Wish.returnHome)
        #expect(record.boards(.unhandledAction) == ["first", "-"])
        #expect(record.boards(.action) == ["-"])
    }
}
