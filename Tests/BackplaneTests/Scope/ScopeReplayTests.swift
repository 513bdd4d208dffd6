import Backplane
import BackplaneTesting
import TestSupport
import Testing

@Suite(.rule("B56"))
@MainActor struct ScopeReplayTests {
    /// A user that can be encoded.
    enum Guest: BoardContract {
        typealias Input = String
    }

    enum Door: BoardContract {
        typealias Output = String
    }

    private nonisolated static let guest: BoardID<Guest> = "guest"
    private nonisolated static let door: BoardID<Door> = "door"
    private nonisolated static let key: BoardID<Door> = "key"

    /// The flows and scopes of an app, without its boards.
    private struct Flows: BoardModule {
        func register(on motherboard: Motherboard) {
            motherboard.registerScope(guest, enteredBy: door) { $0.isEmpty ? nil : $0 }
            motherboard.declare(.course, inside: guest)
            motherboard.registerFlow(from: .first, to: .course) { $0 }
        }
    }

    private func makeLog(_ play: (Motherboard, Asked<Door>) -> Void) -> EventLog {
        let (motherboard, doors) = (Motherboard.onMain(), Asked<Door>())
        motherboard.install(Flows())
        motherboard.probe(Self.door, notedIn: doors)
        motherboard.probe(Self.guest) { board, _ in board.inner.probe(.course) }
        motherboard.probe(.first) { board, number in board.send(number) }
        return record(on: motherboard) { play(motherboard, doors) }
    }

    private func record(on motherboard: Motherboard, _ play: () -> Void) -> EventLog {
        var log = EventLog()
        motherboard.recordEvents { log.entries.append($0) }
        play()
        return log
    }

    private func replay(_ log: EventLog) -> EventReplay {
        let motherboard = Motherboard.onMain()
        motherboard.install(Flows())
        return motherboard.replay(log)
    }

    @Test func `activations that wait for, enter and follow a scope are replayed`() {
        let log = makeLog { motherboard, doors in
            motherboard.activate(.course, with: 1)
            motherboard.activate(.first, with: 2)
            doors.boards[0].send("")
            doors.boards[0].send("ada")
            motherboard.activate(.course, with: 3)
            motherboard.complete(Self.guest)
            motherboard.activate(.course, with: 4)
            doors.boards.last?.send("eve")
        }
        let replay = replay(log)
        #expect(replay.isFaithful, "\(replay)")
    }

    /// Registers the scope of an app with an account that cannot be encoded.
    private func installAccounts(on motherboard: Motherboard) {
        motherboard.registerScope(.session, enteredBy: .signIn) { $0.account }
        motherboard.declare(.course, inside: .session)
    }

    @Test func `a supplied value replaces an unencodable payload, and its effects are replayed`() {
        let (recorded, signIns) = (Motherboard.onMain(), Asked<SignIn>())
        installAccounts(on: recorded)
        recorded.probe(.signIn, notedIn: signIns)
        recorded.probe(.session) { board, _ in board.inner.probe(.course) }
        let log = record(on: recorded) {
            recorded.activate(.course, with: 1)
            signIns.boards[0].send(.signedIn(Account("ada")))
            recorded.complete(.session)
            recorded.activate(.session, with: Account("eve"))
            recorded.activate(.course, with: 2)
        }

        let bare = Motherboard.onMain()
        installAccounts(on: bare)
        #expect(!bare.replay(log).isFaithful)

        let supplied = Motherboard.onMain()
        installAccounts(on: supplied)
        let account = Account("anybody")
        let replay = supplied.replay(
            log,
            supplying: TypedBoardEvent<SignIn>.sent(.signedIn(account)),
            TypedBoardEvent<UserSession>.activated(account)
        )
        #expect(replay.isFaithful, "\(replay)")
        #expect(replay.performed == 5)
    }

    @Test func `the effects of flows inside a scope are compared`() {
        func install(on motherboard: Motherboard, flow: Bool) {
            motherboard.registerScope(Self.guest, enteredBy: Self.door) { $0 }
            motherboard.declare(.course, .first, inside: Self.guest)
            motherboard.probe(Self.guest) { board, _ in
                if flow { board.inner.registerFlow(from: .first, to: .course) { $0 } }
            }
        }
        let recorded = Motherboard.onMain()
        install(on: recorded, flow: true)
        recorded.probe(.first) { board, number in board.send(number) }
        recorded.probe(.course)
        let log = record(on: recorded) {
            recorded.activate(Self.guest, with: "ada")
            recorded.activate(.first, with: 7)
        }

        let same = Motherboard.onMain()
        install(on: same, flow: true)
        let replay = same.replay(log)
        #expect(replay.isFaithful, "\(replay)")

        let without = Motherboard.onMain()
        install(on: without, flow: false)
        #expect(without.replay(log).missing.map(\.kind) == [.output, .activated])
    }

    @Test func `a gate set inside a scope is asked again in a replay`() {
        func install(on motherboard: Motherboard) {
            motherboard.registerScope(Self.guest, enteredBy: Self.door) { $0 }
            motherboard.declare(.course, inside: Self.guest)
            motherboard.probe(Self.guest) { board, _ in
                board.inner.gate(.course, by: Self.key) { $0.isEmpty ? .closed : .open }
            }
        }
        let (recorded, keys) = (Motherboard.onMain(), Asked<Door>())
        install(on: recorded)
        recorded.probe(.course)
        recorded.probe(Self.key, notedIn: keys)
        let log = record(on: recorded) {
            recorded.activate(Self.guest, with: "ada")
            recorded.activate(.course, with: 7)
            keys.boards[0].send("yes")
        }

        let motherboard = Motherboard.onMain()
        install(on: motherboard)
        let replay = motherboard.replay(log)
        #expect(replay.isFaithful, "\(replay)")
    }

    @Test func `a value is supplied only for entries of its contract and kind without a value`() {
        let (recorded, signIns) = (Motherboard.onMain(), Asked<SignIn>())
        installAccounts(on: recorded)
        recorded.probe(.signIn, notedIn: signIns)
        recorded.probe(.session) { board, _ in board.inner.probe(.course) }
        let log = record(on: recorded) {
            recorded.activate(.course, with: 1)
            signIns.boards[0].send(.signedIn(Account("ada")))
        }
        let account = Account("anybody")
        let (supplied, other) = (Motherboard.onMain(), Motherboard.onMain())
        installAccounts(on: supplied)
        let replay = supplied.replay(
            log,
            supplying: TypedBoardEvent<SignIn>.sent(.signedIn(account)),
            TypedBoardEvent<Numbers>.activated(9)
        )
        #expect(replay.isFaithful, "\(replay)")
        installAccounts(on: other)
        let values = other.replay(
            log,
            supplying: TypedBoardEvent<SignIn>.completed(.done),
            TypedBoardEvent<Door>.sent("ada")
        )
        #expect(values.omitted.first?.kind == .output)
    }

    @Test func `a denial by the entrance of a scope is replayed`() {
        let log = makeLog { motherboard, doors in
            motherboard.activate(.course, with: 1)
            doors.boards[0].complete()
        }
        let replay = replay(log)
        #expect(replay.isFaithful, "\(replay)")
    }
}
