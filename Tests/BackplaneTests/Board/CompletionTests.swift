import Backplane
import BackplaneTesting
import Testing

@MainActor
struct CompletionTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test func `B27: completion removes the board at once, and activating again makes a fresh one`() {
        motherboard.register(.first) { [journal] slot in
            journal.note("made")
            return ProbeBoard(slot: slot) { board, input in
                guard input == 1 else { return }
                board.complete()
                #expect(!board.slot.isLive)
                #expect(board.send(0, to: .first) == .ownerGone)
                #expect(board.nextToBoard(.first, with: 2).state == .ownerGone)
                board.complete(.cancelled)
                board.complete(.failed(Oops()))
            }
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("\(completion)") }
        motherboard.activate(.first, with: 1)
        #expect(motherboard.send(0, to: .first) == .notLive)
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["made", "done", "made"])
    }

    @Test func `B27: completion ends what is inside first, as cancelled`() {
        motherboard.probe(.second)
        motherboard.probe(.third)
        motherboard.probe(.first) { [journal] board, _ in
            for id in [BoardID<Numbers>.second, .third] {
                board.motherboard.registerCompletionFlow(id) { completion, _ in journal.note("\(id) \(completion)") }
            }
            board.motherboard.activate(.third, with: 0)
            board.motherboard.activate(.second, with: 0)
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("first \(completion)") }
        motherboard.activate(.first, with: 0).complete()
        #expect(journal.lines == ["third cancelled", "second cancelled", "first done"])
    }

    @Test func `B27: completing a motherboard cancels its boards in order and accepts nothing more`() {
        for id in [BoardID<Numbers>.second, .first] {
            motherboard.probe(id)
            motherboard.registerCompletionFlow(id) { [journal] completion, motherboard in
                journal.note("\(id) \(completion)")
                #expect(motherboard.activate(.third, with: 0).state == .ownerGone)
            }
        }
        motherboard.probe(.third)
        motherboard.activate(.first, with: 0)
        motherboard.activate(.second, with: 0)
        motherboard.complete()
        motherboard.complete()
        #expect(journal.lines == ["first cancelled", "second cancelled"])
        #expect(motherboard.activate(.first, with: 0).state == .ownerGone)
        #expect(motherboard.send(1, to: .first) == .ownerGone)
    }

    @Test func `B27: a motherboard that has completed holds nothing any more`() {
        weak var captured: Journal?
        do {
            let journal = Journal()
            captured = journal
            motherboard.probe(.first) { _, _ in journal.note("") }
            motherboard.registerFlow(from: .first) { _, _ in journal.note("") }
            motherboard.registerCompletionFlow(.first) { _, _ in journal.note("completed") }
            motherboard.registerGeneralFlow { (_: Wish, _) in journal.note("") }
            motherboard.registerFallback { _, _ in journal.note("") }
            motherboard.observe { _ in journal.note("") }
            motherboard.registerLink("first/{n}", to: .first) { link in
                journal.note("")
                return try link["n"]
            }
            motherboard.activate(.first, with: 0)
            motherboard.complete()
            #expect(journal.lines.contains("completed"))
        }
        #expect(captured == nil)
    }

    @Test func `B27: a motherboard that goes lets boards go and runs no handler`() {
        weak var board: ProbeBoard<Numbers>?
        var slot: Slot<Numbers>?
        var inner: Motherboard?
        do {
            let motherboard = Motherboard()
            motherboard.register(.first) { given in
                let made = ProbeBoard(slot: given)
                board = made
                slot = given
                return made
            }
            motherboard.registerCompletionFlow(.first) { [journal] _, _ in journal.note("completed") }
            motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("sent") }
            motherboard.observe { [journal] event in
                if event.kind != .activated { journal.note("\(event)") }
            }
            motherboard.activate(.first, with: 0)
            inner = slot?.motherboard
            #expect(board != nil)
        }
        #expect(board == nil)
        // B5: what is left in somebody's hands does nothing, and does not crash.
        slot?.send(1)
        slot?.sendAction(Wish.returnHome)
        slot?.complete()
        #expect(slot?.isLive == false)
        #expect(slot?.nextToBoard(.first, with: 0).state == .ownerGone)
        #expect(slot?.send(1, to: .first) == .ownerGone)
        #expect(slot?.motherboard.activate(.first, with: 0).state == .ownerGone)
        inner?.sendAction(Wish.returnHome)
        inner?.complete()
        #expect(inner?.activate(.first, with: 0).state == .ownerGone)
        #expect(inner?.open("/nowhere") == .noMatch)
        #expect(journal.lines.isEmpty)
    }

    @Test func `B27: a board's deinit may call back into the motherboard that goes`() {
        final class Clinging: Board {
            let slot: Slot<Numbers>
            let sibling: Activation<Figures>
            init(slot: Slot<Numbers>) {
                self.slot = slot
                sibling = slot.nextToBoard(.figures, with: 0)
            }
            func activate(with input: Int) {}
            func receive(_ command: Int) {}
            deinit {
                sibling.complete()
                slot.send(1)
                slot.complete()
            }
        }
        do {
            let motherboard = Motherboard()
            motherboard.probe(.figures)
            motherboard.register(.first, Clinging.init)
            motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("sent") }
            motherboard.activate(.first, with: 0)
        }
        #expect(journal.lines.isEmpty)
    }

    @Test func `B27: a handler may drop the last reference to its motherboard`() {
        var motherboard: Motherboard? = Motherboard()
        motherboard?.probe(.first) { board, input in
            board.send(1)
            board.send(2)
        }
        motherboard?.registerFlow(from: .first) { [journal] output, _ in
            journal.note("\(output)")
            motherboard = nil
        }
        motherboard?.activate(.first, with: 0)
        #expect(motherboard == nil)
        #expect(journal.lines.first == "1")
    }

    @Test func `B27: what is inside a board may outlive the motherboard around it, and finds nothing there`() {
        var root: Motherboard? = Motherboard()
        var slot: Slot<Numbers>?
        let record = EventRecord()
        root?.probe(.second)
        root?.register(.first) { given in
            slot = given
            return ProbeBoard(slot: given)
        }
        root?.activate(.first, with: 0)
        let kept = slot?.motherboard
        kept?.observe { record.events.append($0) }
        kept?.activate(.second, with: 0)
        kept?.registerCompletionFlow(.second) { _, inner in
            root = nil
            inner.sendAction(Wish.returnHome)
        }
        // Nobody but the test holds the root, so it goes in the middle of the turn that this call opens.
        slot?.complete()
        #expect(root == nil)
        kept?.sendAction(Wish.returnHome)
        #expect(kept?.activate(.second, with: 0).state == .ownerGone)
        #expect(record.boards(.unhandledAction).isEmpty, "nobody is left to handle it, nor to be told")
    }

    @Test func `B29: boards that flow in a circle do not keep each other, their flows or their gates`() {
        weak var captured: Journal?
        do {
            let journal = Journal()
            captured = journal
            let motherboard = Motherboard()
            motherboard.registerFlowSteps(.first ->>> .second ->>> .first)
            motherboard.registerFlow(from: .first) { _, _ in journal.note("") }
            motherboard.registerGeneralFlow { (_: Wish, _) in journal.note("") }
            motherboard.registerFallback { _, _ in journal.note("") }
            motherboard.gate(.first, by: .doorkeeper) { _ in
                journal.note("")
                return .open
            }
            motherboard.probe(.second) { board, _ in
                board.motherboard.registerFlow(from: .first) { _, _ in journal.note("") }
                board.motherboard.probe(.third) { _, _ in journal.note("") }
                board.motherboard.activate(.third, with: 0)
            }
            motherboard.probe(.first)
            motherboard.probe(.doorkeeper)
            motherboard.activate(.second, with: 0)
            motherboard.activate(.first, with: 0)
            #expect(captured != nil)
        }
        #expect(captured == nil)
    }

    @Test func `B29: after completion the board and its nested motherboard are gone, though a handle remains`() {
        weak var board: ProbeBoard<Numbers>?
        weak var nested: Motherboard?
        motherboard.register(.first) { slot in
            let made = ProbeBoard(slot: slot) { board, _ in nested = board.motherboard }
            board = made
            return made
        }
        let activation = motherboard.activate(.first, with: 0)
        #expect(board != nil)
        #expect(nested != nil)
        activation.complete()
        #expect(board == nil)
        #expect(nested == nil)
        #expect(activation.state == .completed)
    }
}
