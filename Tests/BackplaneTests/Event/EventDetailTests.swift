import BackplaneTesting
import Testing

@testable import Backplane

/// Which board an event is about, where that board is, and who brought it about.
@MainActor
struct EventDetailTests {
    let motherboard = Motherboard.onMain()
    let record: EventRecord

    init() {
        record = motherboard.recordEvents()
    }

    private func places(_ kind: BoardEvent.Kind) -> [String] {
        record.events.filter { $0.kind == kind }.map { event in
            (event.enclosing.map(\.description) + [event.instance?.description ?? "-"]).joined(separator: "/")
        }
    }

    private func derived(_ kind: BoardEvent.Kind) -> [Bool] {
        record.events.filter { $0.kind == kind }.map(\.isDerived)
    }

    @Test func `B42: each board has a number of its own, and keeps it when it is activated again`() {
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

    @Test func `B42: an event says inside of which boards it happened`() {
        motherboard.probe(.third) { board, _ in board.send(3) }
        motherboard.probe(.second) { board, _ in board.motherboard.activate(.third, with: 0) }
        motherboard.probe(.first, reuse: .perActivation) { board, _ in board.motherboard.activate(.second, with: 0) }
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

    @Test func `B42: a chain derives what it activates, and the boards it activates act by themselves`() {
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

    @Test func `B42: commands, actions and completions of a handler are derived`() {
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

    @Test func `B42: an ending board derives the end of what is inside it, and flows inside are its own doing`() {
        motherboard.probe(.second) { board, _ in board.send(1) }
        motherboard.probe(.first) { board, _ in
            board.motherboard.registerFlow(from: .second) { _, motherboard in motherboard.activate(.third, with: 0) }
            board.motherboard.activate(.second, with: 0)
        }
        motherboard.probe(.third)
        motherboard.activate(.first, with: 0)
        #expect(derived(.activated) == [false, false, false])
        motherboard.complete(.first)
        #expect(places(.completed) == ["first#1/second#2", "first#1/third#3", "first#1"])
        #expect(derived(.completed) == [true, true, false])
    }

    @Test func `B42: an activation that waits is told of, and its gate is derived`() {
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

    @Test func `B26, B42: a command that nobody obeys is told of`() {
        motherboard.probe(.first)
        let over = motherboard.activate(.first, with: 0)
        over.complete()
        motherboard.send(1, to: .first)
        over.send(2)
        motherboard.send(3, to: .second)
        #expect(places(.undeliveredCommand) == ["-", "first#1", "-"])
        #expect(record.boards(.undeliveredCommand) == ["first", "first", "second"])
    }

    @Test func `B42: what the fallback does is derived`() {
        motherboard.probe(.first)
        motherboard.registerFallback { _, motherboard in motherboard.activate(.first, with: 0) }
        motherboard.activate(.second, with: 0)
        #expect(derived(.noSuchBoard) == [false])
        #expect(derived(.activated) == [true])
    }

    @Test func `B42: a board made for one caller is private`() async throws {
        motherboard.probe(.first) { board, _ in board.send(1) }
        _ = try await motherboard.result(of: .first, with: 0)
        motherboard.activate(.first, with: 0)
        #expect(record.events.filter { $0.kind == .activated }.map(\.isPrivate) == [true, false])
        #expect(record.events.first { $0.kind == .completed }?.isPrivate == true)
    }

    @Test func `B42: tasks are told of, when they begin and when they end`() async {
        let gate = AsyncGate()
        var task: Task<Void, Never>?
        motherboard.probe(.first) { board, _ in task = board.task { await gate.wait() } }
        motherboard.activate(.first, with: 0)
        #expect(places(.taskStarted) == ["first#1"])
        #expect(places(.taskEnded).isEmpty)
        gate.open()
        await task?.value
        #expect(places(.taskEnded) == ["first#1"])
    }

    @Test func `B42: an action says which board sent it`() {
        motherboard.probe(.first) { board, _ in board.sendAction(Wish.returnHome) }
        motherboard.activate(.first, with: 0)
        motherboard.sendAction(Wish.returnHome)
        #expect(places(.unhandledAction) == ["first#1", "-"])
    }

    @Test func `B42: the text of an instance can be read again`() {
        let instance = BoardInstance(id: AnyBoardID(BoardID<Numbers>("a#b")), number: 12)
        #expect(instance.description == "a#b#12")
        #expect(BoardInstance("a#b#12") == instance)
        #expect(BoardInstance("a") == nil)
        #expect(BoardInstance("a#x") == nil)
    }

    @Test func `B42: payloads go to those who record them and to nobody else`() {
        motherboard.probe(.words) { board, input in board.send(input) }
        var payloads: [String] = []
        motherboard.observePayloads { event, payload in payloads.append("\(event.kind) \(payload)") }
        motherboard.probe(.first)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.first, with: 1)
        motherboard.send(2, to: .first)
        motherboard.sendAction(Wish.returnHome)
        motherboard.complete(.first, .cancelled)
        #expect(
            payloads == [
                "activated a", "unhandledOutput a", "activated 1", "command 2", "unhandledAction returnHome",
                "completed cancelled",
            ]
        )
    }
}
