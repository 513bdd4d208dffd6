import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting
import TestSupport

/// A note as an app shows it.
///
/// The note carries its session and its applied changes, so that it cannot be mistaken for another
/// note.
struct Note: Identifiable, Equatable, Sendable {
    let id: String
    let session: Int
    var marks: [Int]
    var revision: Int
}

/// The server's rejection of a change that was not performed.
struct Refusal: DefiniteRejection {}

struct NoAnswer: Error {}

/// A server with notes for each session, and the changes of the app, to check the visible values
/// against.
///
/// The world knows the rules about records (A1 to A17) and not their implementation.
final class RecordWorld: Sendable {
    struct Change: Sendable {
        enum Kind: Sendable { case mark, delete, insert }

        enum Fate: Sendable {
            /// The change must be visible, as pending or done.
            case alive
            /// The server has rejected the change, or may have.
            ///
            /// The app does not know yet.
            case uncertain
            /// The app knows that the change failed.
            case failed
        }

        let kind: Kind
        let session: Int
        /// The note's first ID in the app.
        let note: String
        /// The ID under which the app made the change.
        let name: String
        /// Whether the app showed no value of the note.
        let isEarly: Bool
        var fate = Fate.alive
        /// Whether the app has received the server's response.
        var isAnswered = false
        /// The list of an insertion.
        var list: Int?
    }

    struct Server: Sendable {
        var notes: [Note] = []
        /// The responses to changes.
        ///
        /// The server performs each change once, however often it is sent (D9).
        var answers: [Int: Answer] = [:]
        var clock = 0
    }

    enum Answer: Sendable {
        case done(Note?)
        case refused
    }

    struct State: Sendable {
        var generator: SeededGenerator
        var session = 0
        var servers: [Server] = []
        var changes: [Int: Change] = [:]
        /// The first IDs of notes that have received another ID from the server.
        var firstIDs: [String: String] = [:]
        /// The IDs of the notes and the numbers of the lists that the app has requested in this
        /// session.
        var asked: Set<String> = []
        var isHealed = false
        var calls: [Int: (name: String, session: Int)] = [:]
        var lastID = 0
        var record = TraceRecord()
    }

    let state: Locked<State>
    let clock: ManualClock

    init(seed: UInt64, clock: ManualClock) {
        state = Locked(State(generator: SeededGenerator(seed: seed)))
        self.clock = clock
        beginSession()
    }

    var session: Int { state.withLock { $0.session } }

    func draw<Result>(_ body: (inout SeededGenerator) -> Result) -> Result { state.withLock { body(&$0.generator) } }

    func chance(_ percent: Int) -> Bool { draw { $0.chance(percent) } }

    func note(_ what: String) {
        let time = clock.now.offset
        state.withLock { $0.record.log.append("\(time) \(what)") }
    }

    func blame(_ fault: String) { state.withLock { $0.record.blame(fault) } }

    /// Starts the session of another user, whose notes have the same IDs.
    func beginSession() {
        state.withLock { state in
            state.session += 1
            let session = state.session
            var server = Server()
            server.notes = ["a", "b", "c"].map { Note(id: $0, session: session, marks: [], revision: 0) }
            while state.servers.count <= session { state.servers.append(server) }
            state.asked = []
            state.firstIDs = [:]
        }
    }

    func ask(for name: String) { state.withLock { _ = $0.asked.insert($0.firstIDs[name] ?? name) } }

    func hasAsked(for name: String) -> Bool { state.withLock { $0.asked.contains(name) } }

    /// Registers a new change; an insertion creates the note "new" followed by its number.
    func makeChange(_ kind: Change.Kind, of id: String? = nil, isEarly: Bool = false, list: Int? = nil) -> Int {
        state.withLock { state in
            state.lastID += 1
            let first = id.map { state.firstIDs[$0] ?? $0 } ?? "new\(state.lastID)"
            state.changes[state.lastID] = Change(
                kind: kind,
                session: state.session,
                note: first,
                name: id ?? first,
                isEarly: isEarly,
                list: list
            )
            state.record.log.append("\(clock.now.offset) change \(state.lastID): \(kind) of \(first)")
            return state.lastID
        }
    }

    /// Registers a call that may suspend.
    func beginCall(_ name: String) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = (name, state.session)
            return state.lastID
        }
    }

    func endCall(_ id: Int) { state.withLock { $0.calls[id] = nil } }

    func setFate(_ fate: Change.Fate, of change: Int) {
        state.withLock { state in
            if state.changes[change]?.fate != .failed { state.changes[change]?.fate = fate }
        }
    }

    func forget(_ change: Int) { state.withLock { $0.changes[change] = nil } }

    // MARK: The server

    /// Loads a note as the closure of a loader.
    func load(_ id: String) async throws -> Note {
        let session = begin("note \(id)", isAsked: { $0.asked.contains($0.firstIDs[id] ?? id) })
        try await travel()
        let note = state.withLock { state in state.servers[session].notes.first { $0.id == id } }
        try await travel()
        guard let note else { throw Refusal() }
        return note
    }

    /// Loads one of two pages as the closure of a list; `cursor` is the start of the second page.
    func loadPage(of list: Int, from cursor: Int?) async throws -> Page<Int, Note> {
        let session = begin("list \(list)", isAsked: { $0.asked.contains("list \(list)") })
        try await travel()
        let notes = state.withLock { $0.servers[session].notes }
        try await travel()
        guard let cursor else { return Page(Array(notes.prefix(3)), next: notes.count > 3 ? 3 : nil) }
        return Page(Array(notes.dropFirst(cursor)))
    }

    /// Performs a change as its `send` closure.
    func send(_ change: Int) async throws -> Note? {
        guard let made = state.withLock({ $0.changes[change] }) else { return nil }
        if made.session != session { blame("A14: change \(change) of session \(made.session) is sent in \(session)") }
        note("change \(change) leaves")
        try await travel()
        let answer = carryOut(change, made)
        try await travel()
        note("change \(change) gets the response \(answer)")
        state.withLock { $0.changes[change]?.isAnswered = true }
        switch answer {
        case .done(let note): return note
        case .refused:
            setFate(.uncertain, of: change)
            throw Refusal()
        }
    }

    private func begin(_ what: String, isAsked: (State) -> Bool) -> Int {
        note("a load of \(what) begins")
        return state.withLock { state in
            if !isAsked(state) {
                state.record.blame("A14: \(what) is loaded without a request in session \(state.session)")
            }
            return state.session
        }
    }

    private func travel() async throws {
        let (pauses, isSlow, fails) = draw { generator in
            (Int.random(in: 0...3, using: &generator), generator.chance(12), generator.chance(8))
        }
        for _ in 0..<pauses { await SeededExecution.pause() }
        // Ignores its cancellation.
        if isSlow {
            await SeededExecution.letPass(.milliseconds(draw { .random(in: 1...2000, using: &$0) }), on: clock)
        }
        if fails, !state.withLock({ $0.isHealed }) { throw NoAnswer() }
    }

    private func carryOut(_ id: Int, _ change: Change) -> Answer {
        state.withLock { state in
            var server = state.servers[change.session]
            if let answer = server.answers[id] { return answer }
            defer { state.servers[change.session] = server }
            var answer = Answer.refused
            if state.isHealed || !state.generator.chance(15) {
                server.clock += 1
                let index = server.notes.firstIndex { (state.firstIDs[$0.id] ?? $0.id) == change.note }
                switch (change.kind, index) {
                case (.insert, _):
                    let made = Note(id: "made\(id)", session: change.session, marks: [], revision: server.clock)
                    server.notes.append(made)
                    if change.session == state.session { state.firstIDs[made.id] = change.note }
                    answer = .done(made)
                case (.mark, let index?):
                    server.notes[index].marks.append(id)
                    server.notes[index].revision = server.clock
                    answer = .done(state.generator.chance(60) ? server.notes[index] : nil)
                case (.delete, let index?):
                    server.notes.remove(at: index)
                    answer = .done(nil)
                case (_, nil): break
                }
            }
            server.answers[id] = answer
            return answer
        }
    }
}
