import BackplaneTesting
import Foundation
import TestSupport
import Testing

@testable import Backplane

/// Snapshots, graphs, events and recordings support several gates and name the gate of each wait.
@MainActor
struct GateRecordTests {
    let logins = Asked<Doorkeeper>()
    let questions = Asked<Question>()
    let journal = Journal()

    /// Registers two gates in front of one board, a gate in front of a gate board, and flows.
    private func draw(on motherboard: Motherboard) {
        motherboard.gateAll(by: .login, except: .start) { $0 ? .open : .closed }
        motherboard.gate(
            .first,
            by: .confirm,
            asking: { $0 > 1 ? "Enter \($0)?" : nil },
            verdict: { $0 ? .open : .closed }
        )
        motherboard.registerFlow(from: .start) { text, motherboard in
            motherboard.activate(.first, with: Int(text) ?? 0)
        }
        motherboard.registerFlow(from: .first) { _, motherboard in motherboard.complete(.login) }
        motherboard.registerFlow(from: .words) { _, _ in }
        motherboard.registerDenialFlow { denial, motherboard in
            motherboard.activate(.words, with: "\(denial.board)")
        }
    }

    private func register(on motherboard: Motherboard) {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.probe(.first, reuse: .perActivation) { [journal] _, input in journal.note("first \(input)") }
        motherboard.probe(.second) { [journal] _, input in journal.note("second \(input)") }
        motherboard.probe(.words) { [journal] _, input in journal.note("words \(input)") }
    }

    private func makeMotherboard() -> Motherboard {
        let motherboard = Motherboard()
        draw(on: motherboard)
        register(on: motherboard)
        return motherboard
    }

    // MARK: Events

    @Test(.rule("B42")) func `waiting, opening and denial events name their gate`() {
        let motherboard = makeMotherboard()
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 7)
        logins.boards[0].send(true)
        logins.boards[1].send(true)
        questions.boards[0].send(false)
        let gates = events.events.filter { $0.gate != nil }
            .map { "\($0.kind) \($0.board?.name ?? "") \($0.gate?.name ?? "")" }
        #expect(
            gates == [
                "waiting first login", "gateOpened first login", "waiting first confirm", "waiting confirm login",
                "gateOpened confirm login", "gateDenied first confirm", "waiting words login",
            ]
        )
        let kinds: Set<BoardEvent.Kind> = [.waiting, .gateOpened, .gateDenied]
        #expect(events.events.allSatisfy { ($0.gate != nil) == kinds.contains($0.kind) })
    }

    @Test(.rule("B42"))
    func `a waiting event precedes the gate board's activation, and an opening event precedes entry`() {
        let motherboard = makeMotherboard()
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        let kinds = events.events.map { "\($0.kind) \($0.board?.name ?? "")" }
        #expect(
            kinds == ["waiting first", "activated login", "output login", "gateOpened first", "activated first"]
        )
        #expect(events.events.first { $0.kind == .waiting }?.message == "Waits at gate 'login'.")
        #expect(events.events.first { $0.kind == .gateOpened }?.message == "Gate 'login' opened.")
    }

    @Test(.rule("B42")) func `a waiting event inside a board names the enclosing boards`() {
        let motherboard = makeMotherboard()
        let inner = { () -> Motherboard? in
            var inner: Motherboard?
            motherboard.probe(.start) { board, _ in inner = board.inner }
            motherboard.activate(.start)
            return inner
        }()
        let events = motherboard.observeEvents()
        inner?.activate(.second, with: 1)
        logins.boards[0].send(true)
        let enclosing = events.events.map { "\($0.kind) \($0.enclosing.map(\.id.name))" }
        #expect(
            enclosing == [
                "waiting [\"start\"]", "activated []", "output []", "gateOpened [\"start\"]",
                "activated [\"start\"]",
            ]
        )
    }

    // MARK: Graphs

    @Test(.rule("B44")) func `a graph has an edge from each gate, in the order of the questions`() {
        let motherboard = Motherboard()
        let inner = motherboard.makeInner()
        draw(on: motherboard)
        register(on: motherboard)
        func gates(before name: String, on graph: BoardGraph) -> [String] {
            graph.edges.filter { $0.kind == .gate && $0.to.name == name }.map(\.from.name)
        }
        let graph = motherboard.graph()
        #expect(gates(before: "first", on: graph) == ["login", "confirm"])
        #expect(gates(before: "confirm", on: graph) == ["login"])
        #expect(gates(before: "login", on: graph).isEmpty)
        inner.gate(.first, by: .terms) { _ in .open }
        inner.gateAll(by: .age, except: .confirm) { _ in .open }
        #expect(gates(before: "first", on: inner.graph()) == ["login", "age", "confirm", "terms"])
        #expect(gates(before: "first", on: motherboard.graph()) == ["login", "confirm"])
    }

    @Test(.rule("B44")) func `two questions to the same gate are a single edge`() {
        let motherboard = Motherboard()
        motherboard.probe(.first)
        motherboard.gate(.first, by: .confirm, with: "Sure?") { _ in .open }
        motherboard.gate(.first, by: .confirm, with: "Really?") { _ in .open }
        #expect(motherboard.graph().edges.count == 1)
    }

    // MARK: Recordings

    /// Records a session that passes two gates several times and is denied once.
    private func walk(on motherboard: Motherboard) -> EventLog {
        var log = EventLog()
        motherboard.recordEvents { log.entries.append($0) }
        var start: ProbeBoard<GuardedPage>?
        var inner: Motherboard?
        var firsts: [ProbeBoard<Numbers>] = []
        motherboard.probe(.start) { board, _ in
            start = board
            inner = board.inner
        }
        motherboard.register(.first, reuse: .perActivation, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in firsts.append(board) }
        }
        motherboard.activate(.start)
        start?.send("7")
        inner?.activate(.first, with: 1)
        logins.boards.last?.send(true)
        logins.boards.last?.send(true)
        questions.boards.last?.send(true)
        firsts.last?.send(12)
        start?.send("8")
        logins.boards.last?.send(true)
        logins.boards.last?.send(true)
        inner?.activate(.first, with: 9)
        questions.boards.last?.send(false)
        logins.boards.last?.send(true)
        start?.send("5")
        motherboard.complete(.first)
        firsts[0].complete()
        return log
    }

    @Test(.rule("B45")) func `a recording of activations through two gates replays faithfully`() throws {
        let log = walk(on: makeMotherboard())
        #expect(log.entries.count { $0.kind == .gateOpened } > 5)
        #expect(log.entries.contains { $0.kind == .gateDenied })
        #expect(log.jsonLines.contains(#""gate":"confirm""#))
        let read = try EventLog(jsonLines: log.jsonLines)
        #expect(read.entries.map(\.kind) == log.entries.map(\.kind))
        #expect(read.entries.map(\.gate) == log.entries.map(\.gate))
        let other = Motherboard()
        draw(on: other)
        let replay = other.replay(read)
        #expect(replay.isFaithful, "\(replay)")
    }

    @Test(.rule("B45")) func `a replay reports a difference if a gate is absent`() {
        let log = walk(on: makeMotherboard())
        let other = Motherboard()
        other.gateAll(by: .login, except: .start) { $0 ? .open : .closed }
        other.probe(.confirm)
        other.registerFlow(from: .start) { text, motherboard in motherboard.activate(.first, with: Int(text) ?? 0) }
        other.registerFlow(from: .first) { _, motherboard in motherboard.complete(.login) }
        let replay = other.replay(log)
        #expect(!replay.isFaithful)
        #expect(replay.missing.contains { $0.gate?.name == "confirm" })
    }
}
