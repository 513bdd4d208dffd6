import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The board of an event, the place of that board, and the origin of the event.
@MainActor
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

    @Test(.rule("B42")) func `each board has its own number and keeps that number when activated again`() {
        motherboard.probe(.first)
        motherboard.probe(.second, reuse: .perActivation)
        motherboard.activate(.first, with: 0)
        motherboard.activate(.second, with: 0)
        motherboard.activate(.second, with: 0)
        motherboard.activate(.first, with: 0)
        motherboard.complete(.second)
        #expect(places(.activated) == ["first#1", "second#2", "second#3", "first#1"])
        #expect(places(.completed) == ["second#2", "second#3"])
    }

    @Test(.rule("B42")) func `an event names its enclosing boards`() {
        motherboard.probe(.third) { board, _ in board.send(3) }
        motherboard.probe(.second) { board, _ in board.inner.activate(.third, with: 0) }
        motherboard.probe(.first, reuse: .perActivation) { board, _ in board.inner.activate(.second, with: 0) }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 0)
        #expect(
            places(.activated) == [
                "first#1", "first#1/second#2", "first#1/second#2/third#3",
                "first#4", "first#4/second#5", "first#4/second#5/third#6",
            ]
        )
        #expect(places(.unhandledOutput) == ["first#1/second#2/third#3", "first#4/second#5/third#6"])
        #expect(record.events[0].description.hasPrefix("activated first#1: "))
        #expect(record.events[2].description.hasPrefix("activated first#1/second#2/third#3: "))
    }

    @Test(.rule("B42")) func `a flow step's activation is derived, and the activated board's own work is not`() {
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
            record.events.map { "\($0.kind) \($0.board?.name ?? "-") \($0.isDerived)" } == [
                "activated first false", "output first false", "activated second true", "activated third false",
                "unhandledOutput second false", "completed second false",
            ]
        )
    }

    @Test(.rule("B42")) func `commands, actions and completions by a handler are derived`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.second)
        motherboard.registerGeneralFlow { (_: Wish, motherboard) in motherboard.send(8, to: .second) }
        motherboard.registerFlow(from: .first) { _, motherboard in
            motherboard.send(7, to: .second)
            motherboard.sendAction(Wish.returnHome)
            motherboard.complete(.second)
        }
        motherboard.activate(.second, with: 0)
        motherboard.activate(.first, with: 0)
        #expect(derived(.command) == [true])
        #expect(derived(.action) == [true])
        #expect(derived(.completed) == [true])

        motherboard.sendAction(Wish.returnHome)
        motherboard.activate(.second, with: 0)
        motherboard.complete(.second)
        #expect(derived(.action) == [true, false])
        #expect(derived(.completed) == [true, false])
    }

    @Test(.rule("B42")) func `the end of a nested board is derived, and the work of nested flows is not`() {
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

    @Test(.rule("B42")) func `a waiting activation raises an event, and the events of its gate are derived`() {
        var keeper: Slot<Doorkeeper>?
        motherboard.register(.doorkeeper) { slot in
            keeper = slot
            return ProbeBoard(slot: slot)
        }
        motherboard.probe(.first)
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.activate(.first, with: 0)
        keeper?.send(true)
        motherboard.activate(.first, with: 0)
        keeper?.send(false)
        #expect(
            record.events.map { "\($0.kind) \($0.board?.name ?? "-") \($0.isDerived)" } == [
                "waiting first false", "activated doorkeeper true", "output doorkeeper false",
                "gateOpened first true", "activated first true",
                "waiting first false", "activated doorkeeper true", "output doorkeeper false",
                "gateDenied first true",
            ]
        )
    }

    @Test(.rule("B26", "B42")) func `an undelivered command raises an event`() {
        motherboard.probe(.first)
        let over = motherboard.activate(.first, with: 0)
        over.complete()
        motherboard.send(1, to: .first)
        over.send(2)
        motherboard.send(3, to: .second)
        #expect(places(.undeliveredCommand) == ["-", "first#1", "-"])
        #expect(record.boards(.undeliveredCommand) == ["first", "first", "second"])
    }

    @Test(.rule("B42")) func `activations by the fallback are derived`() {
        motherboard.probe(.first)
        motherboard.registerFallback { _, motherboard in motherboard.activate(.first, with: 0) }
        motherboard.activate(.second, with: 0)
        #expect(derived(.noSuchBoard) == [false])
        #expect(derived(.activated) == [true])
    }

    @Test(.rule("B42")) func `a board made for a result is private`() async throws {
        motherboard.probe(.first) { board, _ in board.send(1) }
        _ = try await motherboard.result(of: .first, with: 0)
        motherboard.activate(.first, with: 0)
        #expect(record.events.filter { $0.kind == .activated }.map(\.isPrivate) == [true, false])
        #expect(record.events.first { $0.kind == .completed }?.isPrivate == true)
    }

    @Test(.rule("B42")) func `tasks raise events when they start and when they end`() async {
        let gate = AsyncLatch()
        var task: Task<Void, Never>?
        motherboard.probe(.first) { board, _ in task = board.task { await gate.wait() } }
        motherboard.activate(.first, with: 0)
        #expect(places(.taskStarted) == ["first#1"])
        #expect(places(.taskEnded).isEmpty)
        gate.open()
        await task?.value
        #expect(places(.taskEnded) == ["first#1"])
    }

    @Test(.rule("B42")) func `an action event names the board that sent the action`() {
        motherboard.probe(.first) { board, _ in board.sendAction(Wish.returnHome) }
        motherboard.activate(.first, with: 0)
        motherboard.sendAction(Wish.returnHome)
        #expect(places(.unhandledAction) == ["first#1", "-"])
        #expect(record.events.last?.description.hasPrefix("unhandledAction -: ") == true)
        motherboard.activate(.second, with: 0)
        #expect(record.events.last?.description.hasPrefix("noSuchBoard second: ") == true)
    }

    @Test(.rule("B42")) func `the description of a board instance can be parsed again`() {
        let instance = BoardInstance(id: AnyBoardID(BoardID<Numbers>("a#b")), number: 12)
        #expect(instance.description == "a#b#12")
        #expect(BoardInstance("a#b#12") == instance)
        let prefixed = BoardInstance(id: AnyBoardID(BoardID<Numbers>("\u{600}")), number: 3)
        #expect(BoardInstance(prefixed.description) == prefixed, "the sign joins the name as a single character")
        #expect(BoardInstance("a") == nil)
        #expect(BoardInstance("a#x") == nil)
    }

    @Test(.rule("B42")) func `a payload observer receives the payloads of all events that have one`() {
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

    @Test(.rule("B42")) func `a command, dropped-output or overspent-turn event names its board, but never several`() {
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

    @Test(.rule("B42")) func `an overspent turn caused by an action names the board that sent the action`() {
        let motherboard = Motherboard(turnBudget: 10)
        let record = motherboard.observeEvents()
        var turns = 0
        motherboard.probe(.first) { board, _ in board.sendAction(Wish.returnHome) }
        motherboard.registerGeneralFlow { (_: Wish, motherboard) in
            turns += 1
            if turns < 100 { motherboard.activate(.first, with: 0) }
        }
        motherboard.activate(.first, with: 0)
        let raised = record.events.filter { $0.kind == .turnBudgetExceeded }
        #expect(raised.map(\.instance?.description) == ["first#1"])
        #expect(raised.first?.message.contains("came from: first.") == true)
    }

    @Test(.rule("B42")) func `a handler's effects stay derived after the handler activates a board`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.second)
        motherboard.registerFlow(from: .first) { _, motherboard in
            motherboard.activate(.second, with: 0)
            motherboard.send(0, to: .second)
            motherboard.activate(.second, with: 0)
        }
        motherboard.activate(.first, with: 0)
        #expect(derived(.activated) == [false, true, true])
        #expect(derived(.command) == [true])
    }

    @Test(.rule("B42")) func `activations by a board that handles a command are not derived`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.second, onCommand: { board, _ in board.nextToBoard(.third, with: 0) })
        motherboard.probe(.third)
        motherboard.activate(.second, with: 0)
        motherboard.registerFlow(from: .first) { _, motherboard in motherboard.send(0, to: .second) }
        motherboard.activate(.first, with: 0)
        #expect(derived(.command) == [true])
        #expect(derived(.activated) == [false, false, false])
    }

    @Test(.rule("B42")) func `activations by a board during its initialization are not derived`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.probe(.third)
        motherboard.register(.second) { slot in
            slot.inner.activate(.third, with: 0)
            return ProbeBoard(slot: slot)
        }
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.activate(.first, with: 0)
        #expect(places(.activated) == ["first#1", "second#2/third#3", "second#2"])
        #expect(derived(.activated) == [false, false, true])
    }

    @Test(.rule("B42")) func `an unhandled action sent by a handler is derived`() {
        motherboard.probe(.first) { board, _ in board.send(1) }
        motherboard.registerFlow(from: .first) { _, motherboard in motherboard.sendAction(Wish.returnHome) }
        motherboard.activate(.first, with: 0)
        #expect(derived(.unhandledAction) == [true])
    }

    @Test(.rule("B42")) func `activations by flows and the fallback of a nested motherboard are not derived`() {
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

    @Test(.rule("B42")) func `gate events are derived inside a board and after the gate board ends`() {
        var keeper: Slot<Doorkeeper>?
        motherboard.register(.doorkeeper) { slot in
            keeper = slot
            return ProbeBoard(slot: slot)
        }
        motherboard.probe(.second)
        motherboard.gate(.second, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.probe(.first) { board, _ in board.inner.activate(.second, with: 0) }
        motherboard.activate(.first, with: 0)
        keeper?.send(true)
        #expect(derived(.gateOpened) == [true])
        #expect(derived(.activated) == [false, true, true])
        motherboard.activate(.second, with: 0)
        keeper?.complete()
        #expect(derived(.gateDenied) == [true])
    }

    @Test(.rule("B42")) func `the gate events of a pending result are private`() async {
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
