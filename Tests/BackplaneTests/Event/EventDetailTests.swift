import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The board of an event, the place of that board, and the origin of the event.
@MainActor @Suite(.rule("B42"))
struct EventDetailTests {
    let motherboard = Motherboard.onMain()
    let record: EventRecord

    init() {
        record = motherboard.observeEvents()
    }

    private func places(_ kind: BoardEvent.Kind) -> [String] {
        record.events.filter { $0.kind == kind }.map { event in
            (event.enclosing.map(\.description) + [event.instance?.description ?? "-"]).joined(separator: "/")
        }
    }

    private func derived(_ kind: BoardEvent.Kind) -> [Bool] {
        record.events.filter { $0.kind == kind }.map(\.isDerived)
    }

    private var derivations: [String] {
        record.events.map { "\($0.kind) \($0.board?.name ?? "-") \($0.isDerived)" }
    }

    @Test func `each board has its own number and keeps it, and an event names its enclosing boards`() {
        motherboard.probe(.third) { board, _ in board.send(3) }
        motherboard.probe(.second) { board, _ in board.inner.activate(.third, with: 0) }
        motherboard.probe(.first, reuse: .perActivation) { board, _ in board.inner.activate(.second, with: 0) }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 0)
        motherboard.activate(.second, with: 0)
        motherboard.activate(.second, with: 0)
        #expect(
            places(.activated) == [
                "first#1", "first#1/second#2", "first#1/second#2/third#3",
                "first#4", "first#4/second#5", "first#4/second#5/third#6",
                "second#7", "second#7/third#8", "second#7", "second#7/third#8",
            ]
        )
        #expect(places(.unhandledOutput).first == "first#1/second#2/third#3")
        #expect(record.events[0].description.hasPrefix("activated first#1: "))
        #expect(record.events[2].description.hasPrefix("activated first#1/second#2/third#3: "))
    }

    @Test func `an activation by a flow step counts as derived, and the work of its board does not`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.second) { board, _ in
            board.nextToBoard(.third, with: 0)
            board.send(2)
            board.complete()
        }
        motherboard.probe(.third)
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.activate(.first, with: 0)
        #expect(
            derivations == [
                "activated first false", "output first false", "activated second true", "activated third false",
                "unhandledOutput second false", "completed second false",
            ]
        )
    }

    @Test func `commands, actions, activations and completions by a handler count as derived`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.second)
        motherboard.registerFlow(from: .first) { _, motherboard in
            motherboard.activate(.second, with: 0)
            motherboard.send(7, to: .second)
            motherboard.sendAction(Wish.returnHome)
            motherboard.complete(.second)
        }
        motherboard.registerFallback { _, motherboard in motherboard.activate(.second, with: 0) }
        motherboard.activate(.first, with: 0)
        let flow = motherboard.registerGeneralFlow { (_: Wish, motherboard) in motherboard.send(8, to: .second) }
        motherboard.activate(.first, with: 0)
        motherboard.remove(flow)
        motherboard.activate(.third, with: 0)
        motherboard.complete(.second)
        let caused = ["activated second true", "command second true"]
        #expect(
            derivations == ["activated first false", "output first false"] + caused + [
                "unhandledAction - true", "completed second true", "activated first false", "output first false",
            ] + caused + [
                "undeliveredCommand second true", "action - true", "completed second true", "noSuchBoard third false",
                "activated second true", "completed second false",
            ]
        )
    }

    @Test func `the end of a nested board counts as derived, and the work of nested flows does not`() {
        motherboard.probe(.second) { board, _ in board.send(1) }
        motherboard.probe(.first) { board, _ in
            board.inner.registerFlow(from: .second) { _, motherboard in motherboard.activate(.third, with: 0) }
            board.inner.activate(.second, with: 0)
        }
        motherboard.probe(.third)
        motherboard.activate(.first, with: 0)
        #expect(derived(.activated) == [false, false, false])
        motherboard.complete(.first)
        #expect(places(.completed) == ["first#1/second#2", "first#1/third#3", "first#1"])
        #expect(derived(.completed) == [true, true, false])
    }

    @Test func `a waiting activation raises an event, and the events of its gate count as derived`() {
        let keepers = Asked<Doorkeeper>()
        motherboard.probe(.doorkeeper, notedIn: keepers)
        motherboard.probe(.second)
        motherboard.gate(.second, by: .doorkeeper) { $0 ? .open : .closed }
        let inner = motherboard.makeInner()
        record.events = []
        inner.activate(.second, with: 0)
        keepers.boards[0].send(true)
        motherboard.activate(.second, with: 0)
        keepers.boards[1].send(false)
        motherboard.activate(.second, with: 0)
        keepers.boards[2].complete()
        let asked = ["waiting second false", "activated doorkeeper true"]
        #expect(
            derivations == asked + ["output doorkeeper false", "gateOpened second true", "activated second true"]
                + asked + ["output doorkeeper false", "gateDenied second true"]
                + asked + ["completed doorkeeper false", "gateDenied second true"]
        )
    }

    @Test(.rule("B26")) func `an undelivered command raises an event`() {
        motherboard.probe(.first)
        let over = motherboard.activate(.first, with: 0)
        over.complete()
        motherboard.send(1, to: .first)
        over.send(2)
        motherboard.send(3, to: .second)
        #expect(places(.undeliveredCommand) == ["-", "first#1", "-"])
        #expect(record.boards(.undeliveredCommand) == ["first", "first", "second"])
    }

    @Test func `tasks raise events when they start and when they end`() async {
        let gate = AsyncLatch()
        let task = motherboard.enter(.first, with: 0).task { await gate.wait() }
        #expect(places(.taskStarted) == ["first#1"])
        #expect(places(.taskEnded).isEmpty)
        gate.open()
        await task.value
        #expect(places(.taskEnded) == ["first#1"])
    }

    @Test func `the description of a board instance can be parsed again`() {
        let instance = BoardInstance(id: AnyBoardID(BoardID<Numbers>("a#b")), number: 12)
        #expect(instance.description == "a#b#12")
        #expect(BoardInstance("a#b#12") == instance)
        let prefixed = BoardInstance(id: AnyBoardID(BoardID<Numbers>("\u{600}")), number: 3)
        #expect(BoardInstance(prefixed.description) == prefixed, "the sign joins the name as a single character")
        #expect(BoardInstance("a") == nil)
        #expect(BoardInstance("a#x") == nil)
    }

    @Test func `a payload observer receives the payload of each event with a payload`() {
        motherboard.probe(.words) { board, input in board.send(input) }
        var payloads: [String] = []
        motherboard.observePayloads { event, payload in payloads.append("\(event.kind) \(payload)") }
        motherboard.probe(.first)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        motherboard.send(3, to: .first)
        motherboard.probe(.second, reuse: .perActivation)
        motherboard.activate(.second, with: 4)
        motherboard.activate(.second, with: 5)
        motherboard.send(6, to: .second)
        motherboard.sendAction(Wish.returnHome)
        motherboard.complete(.first, .cancelled)
        #expect(
            payloads == [
                "activated a", "unhandledOutput a", "activated 1", "activated 2", "command 3", "activated 4",
                "activated 5", "command 6", "unhandledAction returnHome", "completed cancelled",
            ]
        )
    }

    @Test func `the event of a command, a dropped output or a long turn names one board, and never several`() {
        let motherboard = Motherboard(turnBudget: 10)
        let record = motherboard.observeEvents()
        var turns = 0
        motherboard.registerFlow(from: .first) { _, motherboard in
            turns += 1
            if turns < 100 { motherboard.send(0, to: .first) }
        }
        var ended: Slot<Numbers>?
        motherboard.probe(.first) { board, _ in
            ended = board.slot
        } onCommand: { board, _ in
            board.send(0)
        }
        motherboard.probe(.second, reuse: .perActivation)
        motherboard.activate(.first, with: 0)
        motherboard.send(0, to: .first)
        motherboard.complete(.first)
        ended?.send(0)
        motherboard.activate(.second, with: 0)
        motherboard.activate(.second, with: 0)
        motherboard.send(0, to: .second)
        let instances = { (kind: BoardEvent.Kind) in
            record.events.filter { $0.kind == kind }.map { $0.instance?.description ?? "-" }
        }
        #expect(instances(.command).first == "first#1")
        #expect(instances(.command).last == "-")
        #expect(instances(.droppedOutput) == ["first#1"])
        #expect(instances(.turnBudgetExceeded) == ["first#1"])
    }

    @Test func `activations by a board in its factory or for a command do not count as derived`() {
        motherboard.echo(BoardID<Numbers>.first)
        motherboard.probe(.third)
        motherboard.register(.second) { slot in
            slot.inner.activate(.third, with: 0)
            return ProbeBoard(slot: slot, onCommand: { board, _ in board.nextToBoard(.third, with: 0) })
        }
        motherboard.registerFlow(from: .first) { _, motherboard in
            motherboard.activate(.second, with: 0)
            motherboard.send(0, to: .second)
        }
        motherboard.activate(.first, with: 0)
        #expect(places(.activated) == ["first#1", "second#2/third#3", "second#2", "third#4"])
        #expect(derived(.activated) == [false, false, true, false])
        #expect(derived(.command) == [true])
    }

    @Test func `activations by flows of a nested motherboard do not count as derived`() {
        motherboard.probe(.second) { board, _ in
            board.sendAction(Wish.returnHome)
            board.complete()
        }
        motherboard.probe(.third)
        motherboard.probe(.first) { board, _ in
            board.inner.registerFallback { _, motherboard in motherboard.activate(.third, with: 1) }
            board.inner.registerGeneralFlow { (_: Wish, motherboard) in motherboard.activate(.third, with: 2) }
            board.inner.registerCompletionFlow(.second) { _, motherboard in
                motherboard.activate(.third, with: 3)
            }
            board.inner.activate(.second, with: 0)
            board.inner.activate(BoardID<Numbers>("nobody"), with: 0)
        }
        motherboard.activate(.first, with: 0)
        #expect(places(.activated).count { $0 == "first#1/third#3" } == 3)
        #expect(derived(.activated) == [false, false, false, false, false])
    }

    @Test func `the gate events of an awaited result are private`() async {
        let doorkeeper = Asked<Doorkeeper>()
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
        for (index, verdict) in [true, false].enumerated() {
            let asking = Task { try await motherboard.result(of: .first, with: 0) }
            let keeper = await doorkeeper.board(index)
            keeper.send(verdict)
            keeper.complete()
            _ = await asking.result
        }
        motherboard.activate(.first, with: 0)
        let first = record.events.filter { $0.board == BoardID<Numbers>.first }
        #expect(first.filter { $0.kind == .waiting }.map(\.isPrivate) == [true, true, false])
        #expect(first.filter { $0.kind == .gateOpened }.map(\.isPrivate) == [true])
        #expect(first.filter { $0.kind == .gateDenied }.map(\.isPrivate) == [true])
    }
}
