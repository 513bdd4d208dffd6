import Testing

@testable import Backplane

/// What boards and the outside did is done again, and what flows and gates make of it is compared.
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
    private enum AppAction: BoardAction, Codable { case home }

    private static let shop: BoardID<Shop> = "shop"
    private static let checkout: BoardID<Checkout> = "checkout"
    private static let asking: BoardID<Asking> = "asking"

    /// The flows and gates of the app.
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

    /// The boards of the app, and a session with them.
    private func session(on motherboard: Motherboard) async throws -> EventLog {
        var log = EventLog()
        draw(on: motherboard)
        motherboard.record { log.entries.append($0) }
        var shop: ProbeBoard<Shop>?
        var checkouts: [ProbeBoard<Checkout>] = []
        var doorkeeper: ProbeBoard<Doorkeeper>?
        motherboard.probe(Self.shop) { board, _ in shop = board }
        motherboard.probe(Self.checkout, reuse: .perActivation) { board, _ in
            checkouts.append(board)
            board.motherboard.activate(.doorkeeper)
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

    @Test func `B45: a session replays on flows alone, with stand-ins for all boards`() async throws {
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

    @Test func `B45: a flow that is not drawn any more is missing, and a new one unexpected`() async throws {
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

    @Test func `B45: another payload is a difference`() async throws {
        let log = try await session(on: Motherboard.onMain())
        let other = Motherboard.onMain()
        draw(on: other)
        other.registerGeneralFlow { (_: AppAction, _) in }
        let changed = Motherboard.onMain()
        changed.gate(Self.checkout, by: .doorkeeper) { $0 ? .open : .closed }
        changed.registerFlow(from: Self.shop, to: Self.checkout) { output in
            if case .chosen = output { .pen } else { nil }
        }
        let missing = changed.replay(log).missing.filter { $0.kind == .waiting }
        #expect(missing.map(\.description).allSatisfy { $0.contains("book") } && missing.count == 1)
    }

    @Test func `B45: what cannot be done again is left out with the reason`() throws {
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
        let unreadable = "what was sent cannot be read as what is sent now"
        #expect(
            replay.omissions.map(\.reason) == [
                "Opaque is not Codable", "it was not activated here",
                "no flow, gate or registration here says what it takes",
                unreadable, unreadable, unreadable, unreadable, "no flow here handles such an action", unreadable,
                "there is no first#9 around it", "the board has ended already",
            ]
        )
        #expect(replay.performed == 2)
        #expect(replay.missing.isEmpty && replay.unexpected.isEmpty, "\(replay)")
        #expect(!replay.isFaithful, "what is left out shows nothing")
        #expect(!motherboard.replay(EventLog()).isFaithful, "nor does nothing")
        #expect(replay.description.hasPrefix("2 done again, 11 omitted\nomitted {"))
    }

    @Test func `B45: what followed from what is left out is left out too, and nothing else`() throws {
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
                "no flow, gate or registration here says what it takes", "it follows from what is left out",
                "it was not activated here", "it follows from what is left out",
            ]
        )
        #expect(replay.missing.map(\.board) == [AnyBoardID(.second)], "the first one has sent nothing")
    }

    @Test func `B45: a board that is registered takes part as itself`() throws {
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
    }

    @Test func `B45: after a replay nobody observes, and what stood in stays`() throws {
        let line = #"{"board":"first","kind":"activated","number":1,"payload":1,"time":0}"#
        let motherboard = Motherboard.onMain()
        motherboard.registerFlow(from: .first) { _, _ in }
        motherboard.replay(try EventLog(jsonLines: line))
        #expect(motherboard.turns.observerCount == 0)
        #expect(motherboard.send(1, to: .first) == .delivered(1))
    }
}
