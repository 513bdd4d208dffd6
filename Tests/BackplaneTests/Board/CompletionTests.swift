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
        motherboard.noteCompletions(of: .first, in: journal)
        motherboard.activate(.first, with: 1)
        #expect(motherboard.send(0, to: .first) == .notLive)
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["made", "done", "made"])
    }

    @Test(.rule("B27")) func `a completed motherboard cancels its boards in activation order and accepts no calls`() {
        motherboard.probe(.third)
        for id in [BoardID<Numbers>.second, .first] {
            motherboard.probe(id)
            motherboard.registerCompletionFlow(id) { [journal] completion, motherboard in
                journal.note("\(id) \(completion)")
                #expect(motherboard.activate(.third, with: 0).state == .ownerGone)
            }
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.second, with: 0)
        motherboard.complete()
        motherboard.complete()
        #expect(motherboard.activate(.first, with: 0).state == .ownerGone)
        #expect(motherboard.send(1, to: .first) == .ownerGone)
        motherboard.registerGeneralFlow { [journal] (_: Wish, _) in journal.note("handled") }
        motherboard.sendAction(Wish.returnHome)
        #expect(journal.lines == ["first cancelled", "second cancelled"])
    }

    @Test(.rule("B27", "B5")) func `a released motherboard runs no handler, and slots that live longer do nothing`() {
        var (slot, inner): (Slot<Numbers>?, Motherboard?)
        do {
            let motherboard = Motherboard()
            slot = motherboard.enter(.first, with: 0).slot
            inner = slot?.inner
            motherboard.noteCompletions(of: .first, in: journal)
            motherboard.noteOutputs(of: .first, in: journal)
            motherboard.observe { [journal] event in journal.note("\(event)") }
        }
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

    @Test(.rule("B27"), arguments: [false, true])
    func `a board's deinit may call back into a motherboard that completes or is released`(completes: Bool) {
        do {
            let motherboard = Motherboard()
            motherboard.probe(.figures)
            motherboard.register(.first) { [journal] in Clinging(slot: $0, input: $1, journal: journal) }
            motherboard.noteOutputs(of: .first, in: journal)
            motherboard.noteCompletions(of: .first, in: journal)
            motherboard.activate(.first, with: 1)
            if completes { motherboard.complete() }
        }
        // The deinit of the first board completes its sibling, which completes only once.
        let told = ["told 7", "gone 0", "gone 1", "cancelled", "done"]
        #expect(journal.lines == (completes ? told : ["gone 1", "gone 0"]))
    }

    @Test(.rule("B5")) func `an actor may be released with its motherboard while the boards call back`() async {
        let gone = AsyncLatch()
        var room: Room? = Room()
        await room?.furnish(gone: gone)
        room = nil
        await gone.wait()
    }

    @Test(.rule("B20")) func `a completion reports done, cancelled or failed`() {
        #expect(Completion.done.isDone && !Completion.done.isCancelled && Completion.done.error == nil)
        #expect(!Completion.cancelled.isDone && Completion.cancelled.isCancelled && Completion.cancelled.error == nil)
        let failed = Completion.failed(Oops())
        #expect(!failed.isDone && !failed.isCancelled && failed.error is Oops)
    }

    @Test(.rule("B5")) func `a slot that lives longer than a nested motherboard sends nothing and raises no event`() {
        let record = motherboard.observeEvents()
        let first = motherboard.enter(.first, with: 0)
        let inside = first.inner.enter(.second, with: 0)
        first.complete()
        inside.send(1)
        #expect(!inside.slot.isLive)
        #expect(record.boards(.droppedOutput).isEmpty)
    }

    @Test(.rule("B29")) func `a delivered output is released while its board is still live`() {
        weak var output: Journal?
        let board = motherboard.enter(.diary, with: Journal())
        motherboard.registerFlow(from: .diary) { given, _ in #expect(given === output) }
        do {
            let sent = Journal()
            output = sent
            board.send(sent)
        }
        #expect(board.slot.isLive)
        #expect(output == nil)
    }

    @Test(.rule("B27")) func `a handler may release its motherboard, and no other handler runs afterwards`() {
        var motherboard: Motherboard? = Motherboard()
        let board = motherboard?.enter(.first, with: 0)
        motherboard?.registerFlow(from: .first) { [journal] output, _ in
            journal.note("\(output)")
            board?.send(2)
            board?.complete()
            motherboard = nil
        }
        motherboard?.noteOutputs(of: .first, in: journal)
        motherboard?.noteCompletions(of: .first, in: journal)
        board?.send(1)
        #expect(motherboard == nil)
        #expect(journal.lines == ["1"])
    }

    @Test(.rule("B27")) func `a nested motherboard may live longer than its parent, and then reaches no handler`() {
        var root: Motherboard? = Motherboard()
        let slot = root?.enter(.first, with: 0).slot
        let kept = slot?.inner
        let record = kept?.observeEvents()
        root?.probe(.second)
        kept?.activate(.second, with: 0)
        kept?.registerCompletionFlow(.second) { _, inner in
            root = nil
            inner.sendAction(Wish.returnHome)
        }
        // Only the test holds the root, which is released here in the middle of its turn.
        slot?.complete()
        #expect(root == nil)
        kept?.sendAction(Wish.returnHome)
        #expect(kept?.activate(.second, with: 0).state == .ownerGone)
        #expect(record?.boards(.unhandledAction) == [], "no motherboard is left to handle or report the action")
    }

    @Test(.rule("B29"), arguments: [BoardReuse.shared, .perActivation])
    func `a board entry forgets a completed board, and is released with its motherboard`(reuse: BoardReuse) {
        weak var entry: BoardEntry<Numbers>?
        do {
            let motherboard = Motherboard()
            motherboard.probe(.first, reuse: reuse)
            let activation = motherboard.activate(.first, with: 0)
            entry = motherboard.entry(for: .first)
            #expect(entry?.liveBoards.count == 1)
            activation.complete()
            #expect(entry?.liveBoards.isEmpty == true)
            motherboard.activate(.first, with: 0)
        }
        #expect(entry == nil)
    }

    /// An object that a caller still holds when the others are gone.
    enum Survivor: CaseIterable {
        case completedMotherboard, slot, slotOfCompletedBoard, nestedMotherboard, handle
    }

    @Test(.rule("B27", "B29"), arguments: Survivor.allCases)
    func `an object that lives longer than a motherboard keeps nothing of it`(held: Survivor) {
        weak var captured: Journal?
        weak var board: ProbeBoard<Doorkeeper>?
        weak var nested: Motherboard?
        var kept: Any?
        do {
            let motherboard = Motherboard()
            let journal = Journal()
            captured = journal
            let verdict: (Bool) -> GateVerdict = { _ in
                journal.note("")
                return .open
            }
            motherboard.register(.doorkeeper) { slot in
                journal.note("")
                let made = ProbeBoard<Doorkeeper>(slot: slot)
                board = made
                return made
            }
            motherboard.registerFlowSteps(.first ->>> .second ->>> .first)
            motherboard.registerFlow(from: .doorkeeper) { _, _ in journal.note("") }
            motherboard.registerCompletionFlow(.doorkeeper) { _, _ in journal.note("") }
            motherboard.registerLink("first/{n}", to: .first) { link in
                journal.note("")
                return try link["n"]
            }
            motherboard.gate(.doorkeeper, by: .login, unless: { !journal.lines.contains("never") }, verdict: verdict)
            motherboard.probe(.first)
            motherboard.gate(.first, by: .doorkeeper, verdict: verdict)
            let waiting = motherboard.activate(.first, with: 0)
            #expect(waiting.state == .waiting)
            let slot = board?.slot
            nested = slot?.inner
            for level in [motherboard, nested] {
                level?.registerGeneralFlow { (_: Wish, _) in journal.note("") }
                level?.registerFallback { _, _ in journal.note("") }
                level?.observe { _ in journal.note("") }
                level?.probe(.third) { _, _ in journal.note("") }
                level?.activate(.third, with: 0)
            }
            #expect(captured != nil && board != nil && nested != nil)
            switch held {
            case .completedMotherboard:
                motherboard.complete()
                kept = motherboard
            case .slot: kept = slot
            case .slotOfCompletedBoard:
                slot?.complete()
                kept = slot
            case .nestedMotherboard: kept = slot?.inner
            case .handle: kept = motherboard.activate(.doorkeeper)
            }
        }
        #expect(captured == nil)
        #expect(board == nil)
        #expect(nested == nil || held == .nestedMotherboard)
        withExtendedLifetime(kept) {}
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
        (self.slot, self.input, self.journal, self.gone) = (slot, input, journal, gone)
        sibling = input > 0 ? slot.nextToBoard(.first, with: input - 1) : nil
        nested = slot.inner
        nested.activate(.figures, with: 0)
    }

    func activate(with input: Int) {}
    func receive(_ command: Int) { journal?.note("told \(command)") }

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
