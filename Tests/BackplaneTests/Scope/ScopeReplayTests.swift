import Backplane
import Testing

// B56
@MainActor struct ScopeReplayTests {
    /// A user who is written down.
    enum Guest: BoardContract {
        typealias Input = String
    }

    enum Door: BoardContract {
        typealias Output = String
    }

    private nonisolated static let guest: BoardID<Guest> = "guest"
    private nonisolated static let door: BoardID<Door> = "door"

    /// The flows and scopes of an app, without its boards.
    private struct Flows: BoardModule {
        func register(on motherboard: Motherboard) {
            motherboard.registerScope(guest, enteredBy: door) { $0.isEmpty ? nil : $0 }
            motherboard.register(.course, inside: guest)
            motherboard.registerFlow(from: .first, to: .course) { $0 }
        }
    }

    private func makeLog(_ play: (Motherboard, Asked<Door>) -> Void) -> EventLog {
        let (motherboard, doors) = (Motherboard.onMain(), Asked<Door>())
        motherboard.install(Flows())
        motherboard.probe(Self.door, notedIn: doors)
        motherboard.probe(Self.guest) { board, _ in board.inner.probe(.course) }
        motherboard.probe(.first) { board, number in board.send(number) }
        var entries: [EventLog.Entry] = []
        motherboard.record { entries.append($0) }
        play(motherboard, doors)
        return EventLog(entries)
    }

    private func replay(_ log: EventLog) -> EventReplay {
        let motherboard = Motherboard.onMain()
        motherboard.install(Flows())
        return motherboard.replay(log)
    }

    @Test func `waiting for a scope, entering it and what is inside are replayed`() {
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

    @Test func `a scope that denies is replayed`() {
        let log = makeLog { motherboard, doors in
            motherboard.activate(.course, with: 1)
            doors.boards[0].complete()
        }
        let replay = replay(log)
        #expect(replay.isFaithful, "\(replay)")
    }
}
