import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@MainActor
struct CompletionTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B27")) func `completion removes the board immediately, and the next activation creates a new board`() {
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

    @Test(.rule("B27")) func `the boards inside a completed board are cancelled before that board completes`() {
        motherboard.probe(.second)
        motherboard.probe(.third)
        motherboard.probe(.first) { [journal] board, _ in
            for id in [BoardID<Numbers>.second, .third] {
                board.inner.registerCompletionFlow(id) { completion, _ in journal.note("\(id) \(completion)") }
            }
            board.inner.activate(.third, with: 0)
            board.inner.activate(.second, with: 0)
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("first \(completion)") }
        motherboard.activate(.first, with: 0).complete()
        #expect(journal.lines == ["third cancelled", "second cancelled", "first done"])
    }

    @Test(.rule("B27"))
    func `a completed motherboard cancels its boards in activation order and accepts no more calls`() {
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
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("handled") }
        motherboard.sendAction(Wish.returnHome)
        #expect(journal.lines.count == 2)
    }

    @Test(.rule("B27")) func `a completed motherboard activates no board that is registered after the completion`() {
        motherboard.probe(.first) { [unowned motherboard] board, _ in
            board.send(1)
            board.send(2)
            motherboard.complete()
        }
        motherboard.registerFlow(from: .first) { [journal] output, motherboard in
            if output == 2 { return }
            motherboard.probe(.second) { _, input in journal.note("activated with \(input)") }
            motherboard.registerFlow(from: .first, to: .second) { $0 }
        }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B27")) func `a completed motherboard releases all its contents`() {
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

    @Test(.rule("B27")) func `a released motherboard releases its boards and runs no handler`() {
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
            inner = slot?.inner
            #expect(board != nil)
        }
        #expect(board == nil)
        // B5: a slot or a nested motherboard that outlives its motherboard does nothing and does
        // not crash.
        slot?.send(1)
        slot?.sendAction(Wish.returnHome)
        slot?.complete()
        #expect(slot?.isLive == false)
        #expect(slot?.nextToBoard(.first, with: 0).state == .ownerGone)
        #expect(slot?.send(1, to: .first) == .ownerGone)
        #expect(slot?.inner.activate(.first, with: 0).state == .ownerGone)
        inner?.sendAction(Wish.returnHome)
        inner?.complete()
        #expect(inner?.activate(.first, with: 0).state == .ownerGone)
        #expect(inner?.open("/nowhere") == .ownerGone)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B27")) func `a board's deinit may call back into the motherboard that is being released`() {
        do {
            let motherboard = Motherboard()
            motherboard.probe(.figures)
            motherboard.register(.first) { [journal] in Clinging(slot: $0, input: $1, journal: journal) }
            motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("sent") }
            motherboard.activate(.first, with: 1)
        }
        #expect(journal.lines == ["gone 1", "gone 0"])
    }

    @Test(.rule("B27")) func `a board's deinit may complete a sibling, and the sibling completes once`() {
        motherboard.probe(.figures)
        motherboard.register(.first) { [journal] in Clinging(slot: $0, input: $1, journal: journal) }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("\(completion)") }
        motherboard.activate(.first, with: 1)
        motherboard.complete()
        #expect(journal.lines == ["told 7", "gone 0", "gone 1", "cancelled", "done"])
    }

    @Test(.rule("B20")) func `a completion reports done, cancelled or failed`() {
        #expect(Completion.done.isDone && !Completion.done.isCancelled && Completion.done.error == nil)
        #expect(!Completion.cancelled.isDone && Completion.cancelled.isCancelled && Completion.cancelled.error == nil)
        let failed = Completion.failed(Oops())
        #expect(!failed.isDone && !failed.isCancelled && failed.error is Oops)
    }

    @Test(.rule("B5")) func `an actor may be released with its motherboard while the boards call back`() async {
        let gone = AsyncLatch()
        var room: Room? = Room()
        await room?.furnish(gone: gone)
        room = nil
        await gone.wait()
    }

    @Test(.rule("B27"))
    func `a released motherboard releases nested boards even if a caller holds the nested motherboard`() {
        weak var board: ProbeBoard<Figures>?
        var inside: Activation<Figures>?
        var inner: Motherboard?
        do {
            let motherboard = Motherboard()
            motherboard.register(.figures) { slot in
                let made = ProbeBoard(slot: slot)
                board = made
                return made
            }
            motherboard.probe(.first) { board, _ in inner = board.inner }
            motherboard.activate(.first, with: 0)
            inside = inner?.activate(.figures, with: 0)
            #expect(board != nil)
        }
        #expect(board == nil)
        #expect(inside?.state == .ownerGone)
        #expect(inner?.activate(.figures, with: 0).state == .ownerGone)
    }

    @Test(.rule("B5")) func `a slot that outlives a nested motherboard sends nothing and raises no event`() {
        let record = motherboard.observeEvents()
        var slot: Slot<Numbers>?
        motherboard.register(.second) { given in
            slot = given
            return ProbeBoard(slot: given)
        }
        motherboard.probe(.first) { board, _ in board.inner.activate(.second, with: 0) }
        motherboard.activate(.first, with: 0).complete()
        slot?.send(1)
        #expect(slot?.isLive == false)
        #expect(record.boards(.droppedOutput).isEmpty)
    }

    @Test(.rule("B29")) func `a delivered output is released while its board is still live`() {
        enum Parcels: BoardContract {
            typealias Output = Journal
        }
        let parcels = BoardID<Parcels>("parcels")
        weak var output: Journal?
        motherboard.probe(parcels) { board, _ in
            let journal = Journal()
            output = journal
            board.send(journal)
        }
        motherboard.registerFlow(from: parcels) { given, _ in #expect(given === output) }
        #expect(motherboard.activate(parcels).state == .active)
        #expect(output == nil)
    }

    @Test(.rule("B29"), arguments: [BoardReuse.shared, .perActivation])
    func `a completed board is removed from its board entry`(reuse: BoardReuse) {
        motherboard.probe(.first, reuse: reuse)
        let activation = motherboard.activate(.first, with: 0)
        #expect(motherboard.entry(for: .first).liveBoards.count == 1)
        activation.complete()
        #expect(motherboard.entry(for: .first).liveBoards.isEmpty)
    }

    @Test(.rule("B29")) func `a nested motherboard that outlives its parent motherboard keeps no handlers`() {
        weak var captured: Journal?
        var inner: Motherboard?
        do {
            let journal = Journal()
            captured = journal
            let motherboard = Motherboard()
            motherboard.probe(.first) { board, _ in inner = board.inner }
            motherboard.activate(.first, with: 0)
            inner?.registerGeneralFlow { (_: Wish, _) in journal.note("") }
            inner?.registerFallback { _, _ in journal.note("") }
            inner?.observe { _ in journal.note("") }
            #expect(captured != nil)
        }
        #expect(captured == nil)
        #expect(inner?.activate(.first, with: 0).state == .ownerGone)
    }

    @Test(.rule("B27"))
    func `a completion flow inside a completed board still sends an action to the parent motherboard`() {
        motherboard.probe(.second)
        motherboard.probe(.first) { board, _ in
            board.inner.registerCompletionFlow(.second) { _, inner in inner.sendAction(Wish.returnHome) }
            board.inner.activate(.second, with: 0)
        }
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("handled") }
        motherboard.activate(.first, with: 0).complete()
        #expect(journal.lines == ["handled"])
    }

    @Test(.rule("B27")) func `a handler may release its motherboard, and no other handler runs afterwards`() {
        var motherboard: Motherboard? = Motherboard()
        var board: ProbeBoard<Numbers>?
        motherboard?.probe(.first) { given, _ in board = given }
        motherboard?.registerFlow(from: .first) { [journal] output, _ in
            journal.note("\(output)")
            board?.send(2)
            board?.complete()
            motherboard = nil
        }
        motherboard?.registerFlow(from: .first) { [journal] output, _ in journal.note("again \(output)") }
        motherboard?.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("\(completion)") }
        motherboard?.activate(.first, with: 0)
        board?.send(1)
        #expect(motherboard == nil)
        #expect(journal.lines == ["1"])
    }

    @Test(.rule("B27")) func `a nested motherboard may outlive its parent motherboard and then reaches no handler`() {
        var root: Motherboard? = Motherboard()
        var slot: Slot<Numbers>?
        let record = EventRecord()
        root?.probe(.second)
        root?.register(.first) { given in
            slot = given
            return ProbeBoard(slot: given)
        }
        root?.activate(.first, with: 0)
        let kept = slot?.inner
        kept?.observe { record.events.append($0) }
        kept?.activate(.second, with: 0)
        kept?.registerCompletionFlow(.second) { _, inner in
            root = nil
            inner.sendAction(Wish.returnHome)
        }
        // The test holds the only reference to the root. The call below therefore releases the root
        // in the middle of its turn.
        slot?.complete()
        #expect(root == nil)
        kept?.sendAction(Wish.returnHome)
        #expect(kept?.activate(.second, with: 0).state == .ownerGone)
        #expect(record.boards(.unhandledAction).isEmpty, "no motherboard is left to handle or report the action")
    }

    @Test(.rule("B29")) func `boards in a cycle of flows do not retain each other, their flows or their gates`() {
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
                board.inner.registerFlow(from: .first) { _, _ in journal.note("") }
                board.inner.probe(.third) { _, _ in journal.note("") }
                board.inner.activate(.third, with: 0)
            }
            motherboard.probe(.first)
            motherboard.probe(.doorkeeper)
            motherboard.activate(.second, with: 0)
            motherboard.activate(.first, with: 0)
            #expect(captured != nil)
        }
        #expect(captured == nil)
    }

    @Test(.rule("B29")) func `completion releases the board and its nested motherboard while a handle remains`() {
        weak var board: ProbeBoard<Numbers>?
        weak var nested: Motherboard?
        motherboard.register(.first) { slot in
            let made = ProbeBoard(slot: slot) { board, _ in nested = board.inner }
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

    @Test(.rule("B29"), arguments: [BoardReuse.shared, .perActivation])
    func `a released motherboard releases its board entries`(reuse: BoardReuse) {
        weak var record: BoardEntry<Numbers>?
        do {
            let motherboard = Motherboard()
            motherboard.probe(.first, reuse: reuse)
            motherboard.activate(.first, with: 0)
            record = motherboard.entry(for: .first)
            #expect(record != nil)
        }
        #expect(record == nil)
    }

    @Test(.rule("B29"), arguments: [false, true])
    func `a slot that outlives its motherboard retains no handlers and no nested motherboard`(completes: Bool) {
        weak var captured: Journal?
        weak var nested: Motherboard?
        var slot: Slot<Doorkeeper>?
        do {
            let journal = Journal()
            captured = journal
            let motherboard = Motherboard()
            motherboard.register(.doorkeeper) { given in
                journal.note("")
                slot = given
                return ProbeBoard(slot: given) { board, _ in nested = board.inner }
            }
            motherboard.registerFlow(from: .doorkeeper) { _, _ in journal.note("") }
            motherboard.registerCompletionFlow(.doorkeeper) { _, _ in journal.note("") }
            motherboard.gate(
                .doorkeeper,
                by: .figures,
                with: 0,
                unless: { !journal.lines.contains("never") },
                verdict: { _ in
                    journal.note("")
                    return .open
                }
            )
            motherboard.probe(.first)
            motherboard.gate(.first, by: .doorkeeper) { _ in
                journal.note("")
                return .open
            }
            motherboard.activate(.first, with: 0)
            #expect(captured != nil)
            #expect(nested != nil)
            if completes { slot?.complete() }
        }
        #expect(captured == nil)
        #expect(nested == nil)
        #expect(slot?.isLive == false)
    }
}

/// A board that activates a sibling and, on release, calls back into everything it holds.
private final class Clinging: Board {
    let slot: Slot<Numbers>
    private let input: Int
    private let journal: Journal?
    private let gone: AsyncLatch?
    private let sibling: Activation<Numbers>?
    private let nested: Motherboard

    init(slot: Slot<Numbers>, input: Int, journal: Journal? = nil, gone: AsyncLatch? = nil) {
        self.slot = slot
        self.input = input
        self.journal = journal
        self.gone = gone
        sibling = input > 0 ? slot.nextToBoard(.first, with: input - 1) : nil
        nested = slot.inner
        nested.activate(.figures, with: 0)
    }

    func activate(with input: Int) {}

    func receive(_ command: Int) {
        journal?.note("told \(command)")
    }

    deinit {
        sibling?.send(7)
        sibling?.complete()
        slot.send(1)
        slot.send(8, to: .first)
        slot.sendAction(Wish.returnHome)
        slot.nextToBoard(.figures, with: 1)
        for motherboard in [nested, slot.inner] {
            motherboard.activate(.figures, with: 1)
            motherboard.send(9, to: .first)
            motherboard.sendAction(Wish.returnHome)
            motherboard.complete(.figures)
            motherboard.complete()
        }
        slot.complete(sending: 2)
        slot.complete()
        journal?.note("gone \(input)")
        gone?.open()
    }
}

/// An actor that holds its motherboard, as a window does.
private actor Room {
    private var motherboard: Motherboard?

    func furnish(gone: AsyncLatch) {
        let motherboard = Motherboard()
        motherboard.probe(.figures)
        motherboard.register(.first) { Clinging(slot: $0, input: $1, gone: gone) }
        motherboard.activate(.first, with: 0)
        self.motherboard = motherboard
    }
}
