import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A replay repeats the work of boards and callers and compares the effects of flows and gates.
@MainActor
struct EventReplayTests {
    private enum Item: String, Codable { case book, pen }

    private enum Shop: BoardContract {
        typealias Input = String
        enum Output: Codable {
            case chosen(Item)
            case left
        }
        typealias Command = Int
    }
    private enum Checkout: BoardContract {
        typealias Input = Item
        typealias Output = Int
    }
    private enum Asking: BoardContract {
        typealias Input = [String]
        typealias Output = String
    }
    private enum AppAction: BoardFlowAction, Codable { case home }

    private static let shop: BoardID<Shop> = "shop"
    private static let checkout: BoardID<Checkout> = "checkout"
    private static let asking: BoardID<Asking> = "asking"

    /// Registers the flows and gates of the app.
    private func draw(on motherboard: Motherboard) {
        motherboard.gate(Self.checkout, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.registerFlow(from: Self.shop, to: Self.checkout) { output in
            if case .chosen(let item) = output { item } else { nil }
        }
        motherboard.registerFlow(from: Self.checkout) { paid, motherboard in
            motherboard.send(paid, to: Self.shop)
            motherboard.complete(.doorkeeper)
        }
        motherboard.registerCompletionFlow(Self.checkout) { _, motherboard in motherboard.sendAction(AppAction.home) }
        motherboard.registerGeneralFlow { (_: AppAction, motherboard) in motherboard.activate(Self.shop, with: "home") }
        motherboard.registerFlow(from: Self.asking) { _, _ in }
    }

    /// Registers the boards of the app, and returns the event log of a session with them.
    private func session(on motherboard: Motherboard) async throws -> EventLog {
        var log = EventLog()
        draw(on: motherboard)
        motherboard.recordEvents { log.entries.append($0) }
        var shop: ProbeBoard<Shop>?
        var checkouts: [ProbeBoard<Checkout>] = []
        var doorkeeper: ProbeBoard<Doorkeeper>?
        motherboard.probe(Self.shop) { board, _ in shop = board }
        motherboard.probe(Self.checkout, reuse: .perActivation) { board, _ in
            checkouts.append(board)
            board.inner.activate(.doorkeeper)
            board.task {}
        }
        motherboard.probe(.doorkeeper) { board, _ in doorkeeper = board }
        motherboard.probe(Self.asking) { board, words in board.send(words.joined()) }

        motherboard.activate(Self.shop, with: "first")
        shop?.send(.left)
        shop?.send(.chosen(.book))
        doorkeeper?.send(true)
        shop?.send(.chosen(.pen))
        doorkeeper?.send(true)
        motherboard.send(7, to: Self.shop)
        _ = try await motherboard.result(of: Self.asking, with: ["a", "b"])
        checkouts.first?.send(12)
        checkouts.first?.complete()
        checkouts.last?.complete(.failed(Oops()))
        motherboard.sendAction(AppAction.home)
        shop?.complete(.cancelled)
        return log
    }

    @Test(.rule("B45")) func `a session replays with flows alone and stand-ins for all boards`() async throws {
        let log = try await session(on: Motherboard.onMain())
        let other = Motherboard.onMain()
        draw(on: other)
        let replay = other.replay(try EventLog(jsonLines: log.jsonLines))
        #expect(replay.isFaithful, "\(replay)")
        #expect(replay.omissions.isEmpty, "\(replay)")
        #expect(replay.performed == log.entries.count { $0.isDerived == false && !"\($0.kind)".hasPrefix("task") })
        #expect(replay.performed > 12)
        #expect(log.entries.count { $0.isDerived } > 10)
    }

    @Test(.rule("B45"))
    func `the effects of a removed flow are missing, and those of a new flow are unexpected`() async throws {
        let log = try await session(on: Motherboard.onMain())
        let other = Motherboard.onMain()
        other.gate(Self.checkout, by: .doorkeeper) { $0 ? .open : .closed }
        other.registerFlow(from: Self.shop, to: Self.checkout) { output in
            if case .chosen(let item) = output { item } else { nil }
        }
        other.registerFlow(from: Self.checkout) { _, motherboard in motherboard.activate(.words, with: "new") }
        other.probe(.words)
        other.registerGeneralFlow { (_: AppAction, _) in }
        other.registerFlow(from: Self.asking) { _, _ in }
        let replay = other.replay(log)
        #expect(!replay.isFaithful)
        #expect(replay.missing.contains { $0.kind == .command && $0.board == AnyBoardID(Self.shop) })
        #expect(replay.missing.contains { $0.kind == .completed && $0.board == AnyBoardID(.doorkeeper) })
        #expect(replay.unexpected.map { "\($0.kind) \($0.board?.name ?? "")" } == ["activated words"])
        #expect(replay.description.contains("− {\"board\":\"shop\""))
        #expect(replay.description.contains("+ {\"board\":\"words\""))
    }

    @Test(.rule("B45")) func `a changed payload is a difference`() async throws {
        let log = try await session(on: Motherboard.onMain())
        let changed = Motherboard.onMain()
        changed.gate(Self.checkout, by: .doorkeeper) { $0 ? .open : .closed }
        changed.registerFlow(from: Self.shop, to: Self.checkout) { output in
            if case .chosen = output { .pen } else { nil }
        }
        let missing = changed.replay(log).missing.filter { $0.kind == .waiting }
        #expect(missing.map(\.description).allSatisfy { $0.contains("book") } && missing.count == 1)
    }

    @Test(.rule("B45")) func `an entry that cannot be replayed is omitted with the reason`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"time":0,"unwritten":"Opaque is not Codable"}"#,
            #"{"board":"first","kind":"output","number":1,"payload":1,"time":0}"#,
            #"{"board":"nobody","kind":"activated","number":2,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"activated","number":3,"payload":"no number","time":0}"#,
            #"{"board":"first","kind":"activated","number":4,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"output","number":4,"payload":"no number","time":0}"#,
            #"{"board":"first","kind":"command","number":4,"payload":"no number","time":0}"#,
            #"{"board":"first","kind":"command","payload":"no number","time":0}"#,
            #"{"action":"Unknown","kind":"unhandledAction","time":0}"#,
            #"{"action":"BackplaneTests.Wish","kind":"action","payload":"x","time":0}"#,
            #"{"board":"second","inside":["first#9"],"kind":"activated","number":5,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"completed","number":4,"payload":"done","time":0}"#,
            #"{"board":"first","kind":"output","number":4,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"leaked","number":4,"time":0}"#,
        ]
        let motherboard = Motherboard.onMain()
        motherboard.registerFlow(from: .first) { _, _ in }
        motherboard.registerGeneralFlow { (_: Wish, _) in }
        let replay = motherboard.replay(try EventLog(jsonLines: lines.joined(separator: "\n")))
        let unreadable = "the recorded value cannot be decoded as the current type"
        #expect(
            replay.omissions.map(\.reason) == [
                "Opaque is not Codable", "it was not activated here",
                "no flow, gate or registration here names the board",
                unreadable, unreadable, unreadable, unreadable, "no flow here handles such an action", unreadable,
                "no first#9 encloses it", "the board has ended already",
            ]
        )
        #expect(replay.performed == 2)
        #expect(replay.missing.isEmpty && replay.unexpected.isEmpty, "\(replay)")
        #expect(!replay.isFaithful, "an omitted entry proves nothing")
        #expect(!motherboard.replay(EventLog()).isFaithful, "an empty event log proves nothing either")
        #expect(replay.description.hasPrefix("2 repeated, 11 omitted\nomitted {"))
    }

    @Test(.rule("B45")) func `entries that follow from an omitted entry are omitted too, and no others`() throws {
        let lines = [
            #"{"board":"nobody","kind":"waiting","payload":1,"time":0}"#,
            #"{"board":"doorkeeper","derived":true,"kind":"activated","number":1,"time":0}"#,
            #"{"board":"doorkeeper","kind":"output","number":1,"payload":true,"time":0}"#,
            #"{"board":"nobody","derived":true,"kind":"gateOpened","time":0}"#,
            #"{"board":"first","kind":"activated","number":2,"payload":1,"time":0}"#,
            #"{"board":"second","derived":true,"kind":"activated","number":3,"payload":1,"time":0}"#,
        ]
        let motherboard = Motherboard.onMain()
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.registerFlow(from: .doorkeeper) { _, _ in }
        let replay = motherboard.replay(try EventLog(jsonLines: lines.joined(separator: "\n")))
        #expect(
            replay.omissions.map(\.reason) == [
                "no flow, gate or registration here names the board", "it follows from an omitted entry",
                "it was not activated here", "it follows from an omitted entry",
            ]
        )
        #expect(replay.missing.map(\.board) == [AnyBoardID(.second)], "the first board has sent nothing")
    }

    @Test(.rule("B45")) func `in a replay, a registered board is used instead of a stand-in`() throws {
        let line = #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#
        let motherboard = Motherboard.onMain()
        let journal = Journal()
        motherboard.probe(.first) { board, input in
            journal.note("\(input)")
            board.send(2)
        }
        let replay = motherboard.replay(try EventLog(jsonLines: line))
        #expect(journal.lines == ["1"])
        #expect(replay.unexpected.map(\.kind) == [.unhandledOutput])
        #expect(replay.missing.isEmpty && !replay.isFaithful)
    }

    @Test(.rule("B45")) func `after a replay, its observer is removed, and its stand-ins stay`() throws {
        let line = #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#
        let motherboard = Motherboard.onMain()
        motherboard.registerFlow(from: .first) { _, _ in }
        motherboard.replay(try EventLog(jsonLines: line))
        #expect(motherboard.scheduler.observerCount == 0)
        #expect(motherboard.send(1, to: .first) == .delivered(1))
    }

    private func replay(_ lines: [String], on motherboard: Motherboard) throws -> EventReplay {
        motherboard.replay(try EventLog(jsonLines: lines.joined(separator: "\n")))
    }

    @Test(.rule("B45")) func `a stand-in is a single board if the log never has two live boards`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"completed","number":1,"payload":"done","time":0}"#,
            #"{"board":"first","kind":"activated","number":2,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"activated","number":3,"payload":1,"private":true,"time":0}"#,
            #"{"board":"first","kind":"activated","number":2,"payload":2,"time":0}"#,
        ]
        let motherboard = Motherboard.onMain()
        motherboard.registerFlow(from: .first) { _, _ in }
        let replay = try replay(lines, on: motherboard)
        #expect(replay.isFaithful && replay.performed == 5, "\(replay)")
    }

    @Test(.rule("B45")) func `a replayed command goes to its recorded board or to all boards`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"activated","number":2,"payload":2,"time":0}"#,
            #"{"board":"first","kind":"command","number":2,"payload":3,"time":0}"#,
            #"{"board":"first","kind":"command","payload":4,"time":0}"#,
        ]
        let motherboard = Motherboard.onMain()
        let journal = Journal()
        motherboard.probe(.first, reuse: .perActivation) { board, input in
            board.onCommand = { board, command in
                journal.note("\(input) was told \(command)")
                board.sendAction(Wish.returnHome)
                journal.note("\(input) goes on")
            }
        }
        motherboard.registerGeneralFlow { (_: Wish, _) in journal.note("handled") }
        let replay = try replay(lines, on: motherboard)
        #expect(replay.missing.isEmpty && replay.performed == 4, "\(replay)")
        #expect(
            journal.lines == [
                "2 was told 3", "2 goes on", "handled",
                "1 was told 4", "1 goes on", "2 was told 4", "2 goes on", "handled", "handled",
            ],
            "B2: each command in its own turn"
        )
    }

    @Test(.rule("B45")) func `outputs of a private board reach no flow in a replay`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"private":true,"time":0}"#,
            #"{"board":"first","kind":"output","number":1,"payload":2,"private":true,"time":0}"#,
            #"{"board":"first","kind":"completed","number":1,"payload":"done","private":true,"time":0}"#,
        ]
        let motherboard = Motherboard.onMain()
        motherboard.registerFlowSteps(.first ->>> .second)
        motherboard.probe(.second)
        let replay = try replay(lines, on: motherboard)
        #expect(replay.isFaithful && replay.performed == 3, "\(replay)")
    }

    @Test(.rule("B45")) func `an action is sent again by its recorded board at its recorded place`() throws {
        let draw: (Motherboard) -> Void = { motherboard in
            motherboard.registerFlow(from: .first) { _, _ in }
            motherboard.registerFlow(from: .second) { _, _ in }
            motherboard.registerGeneralFlow { (_: Wish, motherboard) in motherboard.activate(.first, with: 2) }
        }
        let motherboard = Motherboard.onMain()
        draw(motherboard)
        var log = EventLog()
        motherboard.recordEvents { log.entries.append($0) }
        motherboard.probe(.second) { board, _ in board.sendAction(Wish.returnHome) }
        motherboard.probe(.first) { board, input in
            if input == 1 { board.inner.activate(.second, with: 0) }
        }
        motherboard.activate(.first, with: 1)
        let sent = try #require(log.entries.first { $0.kind == .action })
        #expect(sent.instance?.description == "second#2" && sent.enclosing.map(\.description) == ["first#1"])

        let other = Motherboard.onMain()
        draw(other)
        let replay = other.replay(log)
        #expect(replay.isFaithful && replay.omissions.isEmpty, "\(replay)")
    }

    @Test(.rule("B45")) func `a board that is not registered at its recorded place is an omission`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
            #"{"board":"second","inside":["first#1"],"kind":"activated","number":2,"payload":1,"time":0}"#,
        ]
        let motherboard = Motherboard.onMain()
        motherboard.probe(.first) { board, _ in board.inner.registerFlow(from: .second) { _, _ in } }
        let replay = try replay(lines, on: motherboard)
        #expect(replay.omissions.map(\.reason) == ["it is not registered here"])
        #expect(replay.missing.isEmpty && replay.unexpected.isEmpty)
    }

    @Test(.rule("B45")) func `a changed kind, board, place or completion is a difference`() throws {
        let start = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
            #"{"board":"second","kind":"activated","number":2,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"output","number":1,"payload":2,"time":0}"#,
        ]
        let derived = [
            #"{"board":"third","derived":true,"kind":"activated","number":3,"payload":2,"time":0}"#,
            #"{"board":"second","derived":true,"inside":["first#1"],"kind":"activated","number":3,"payload":2,"time":0}"#,
            #"{"board":"second","derived":true,"kind":"completed","number":2,"payload":"failed(Oops)","time":0}"#,
            #"{"action":"App.Wish","derived":true,"kind":"unhandledAction","payload":{"returnHome":{}},"time":0}"#,
        ]
        let draw: [(Motherboard) -> Void] = [
            { $0.registerFlowSteps(.first ->>> .second) },
            { $0.registerFlowSteps(.first ->>> .second) },
            { $0.registerFlow(from: .first) { _, motherboard in motherboard.complete(.second) } },
            { $0.registerFlow(from: .first) { _, motherboard in motherboard.sendAction(Wish.returnHome) } },
        ]
        for (line, draw) in zip(derived, draw) {
            let motherboard = Motherboard.onMain()
            draw(motherboard)
            for id in [BoardID<Numbers>.second, .third] { motherboard.registerCompletionFlow(id) { _, _ in } }
            let replay = try replay(start + [line], on: motherboard)
            #expect(replay.missing.map(\.description) == [line], "\(replay)")
            #expect(replay.unexpected.map(\.kind) == replay.missing.map(\.kind), "\(replay)")
        }

        let nothing = Motherboard.onMain()
        nothing.registerFlow(from: .first) { _, _ in }
        nothing.registerFlow(from: .second) { _, _ in }
        let silent = try self.replay(start + [derived[0]], on: nothing)
        #expect(silent.unexpected.isEmpty && !silent.isFaithful, "\(silent)")

        let unhandled = Motherboard.onMain()
        for id in [BoardID<Numbers>.first, .second] { unhandled.registerCompletionFlow(id) { _, _ in } }
        let replay = try replay(start, on: unhandled)
        #expect(replay.missing.map(\.kind) == [.output])
        #expect(replay.unexpected.map(\.kind) == [.unhandledOutput])
    }

    @Test(.rule("B45")) func `if a command is sent to another board of the same ID, this is a difference`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
            #"{"board":"second","kind":"activated","number":2,"payload":7,"time":0}"#,
            #"{"board":"second","kind":"activated","number":3,"payload":7,"time":0}"#,
            #"{"board":"first","kind":"output","number":1,"payload":2,"time":0}"#,
            #"{"board":"second","derived":true,"kind":"command","number":2,"payload":2,"time":0}"#,
        ]
        for index in [0, 1] {
            let motherboard = Motherboard.onMain()
            var made: [Slot<Numbers>] = []
            motherboard.register(.second, reuse: .perActivation) { slot in
                made.append(slot)
                return ProbeBoard(slot: slot)
            }
            motherboard.registerFlow(from: .first) { output, _ in
                _ = made[index].liveBoard.receive(output, in: made[index].liveBoard.generation)
            }
            let replay = try replay(lines, on: motherboard)
            #expect(replay.isFaithful == (index == 0), "\(replay)")
        }
    }

    @Test(.rule("B45")) func `a withheld payload matches any payload`() throws {
        let lines = [
            #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#,
            #"{"board":"first","kind":"output","number":1,"payload":2,"time":0}"#,
            #"{"board":"second","derived":true,"kind":"activated","number":2,"time":0,"unwritten":"withheld"}"#,
        ]
        let motherboard = Motherboard.onMain()
        motherboard.registerFlowSteps(.first ->>> .second)
        let replay = try replay(lines, on: motherboard)
        #expect(replay.isFaithful && replay.omissions.isEmpty, "\(replay)")
    }

    @Test(.rule("B45")) func `tasks and dropped outputs of registered boards are not differences`() throws {
        let motherboard = Motherboard.onMain()
        motherboard.probe(.first) { board, _ in
            board.task {}
            board.complete()
            board.send(1)
        }
        let replay = try replay(
            [#"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#],
            on: motherboard
        )
        #expect(replay.unexpected.map(\.kind) == [.completed])
    }
}
