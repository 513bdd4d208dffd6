@testable import Backplane
import TestSupport
import Testing

/// A denial runs the denial flows of the nearest motherboard that has any.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DenialFlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let terms = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.terms, notedIn: terms)
        motherboard.probe(.first)
        motherboard.probe(.second)
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
    }

    private func hear(on motherboard: Motherboard, as name: String) {
        motherboard.registerDenialFlow { [journal] denial, given in
            #expect(given === motherboard)
            journal.note("\(name): \(denial.board) \(denial.gate) \(denial.reason)")
        }
    }

    @Test(.rule("B51")) func `a denial flow receives the board, the gate and the reason`() {
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B51")) func `a denial flow receives every denied activation in waiting order`() {
        motherboard.gate(.second, by: .login) { _ in .closed }
        hear(on: motherboard, as: "root")
        motherboard.activate(.second, with: 1)
        motherboard.activate(.first, with: 1)
        logins.boards[0].complete(.cancelled)
        #expect(journal.lines == ["root: second login gateCancelled", "root: first login gateCancelled"])
    }

    @Test(.rule("B51"))
    func `all denial flows of the nearest motherboard run in order, and outer denial flows do not run`() {
        let inner = motherboard.makeInner()
        let innermost = inner.makeInner("innermost")
        hear(on: motherboard, as: "root")
        hear(on: inner, as: "one")
        hear(on: inner, as: "two")
        innermost.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        logins.boards[0].send(false)
        #expect(journal.lines == ["one: first login closed", "two: first login closed", "root: first login closed"])
    }

    @Test(.rule("B51")) func `a denial flow runs after the outputs that were sent before the denial`() {
        motherboard.probe(.start) { [logins] board, _ in
            logins.boards[0].send(false)
            board.send("later")
        }
        motherboard.registerFlow(from: .login) { [journal] _, _ in journal.note("login") }
        motherboard.registerFlow(from: .start) { [journal] _, _ in journal.note("start") }
        hear(on: motherboard, as: "root")
        let first = motherboard.activate(.first, with: 1)
        motherboard.registerFlow(from: .start) { _, _ in #expect(first.state != .waiting) }
        motherboard.activate(.start)
        #expect(journal.lines == ["login", "start", "root: first login closed"])
    }

    @Test(.rule("B51")) func `a denial inside the activate call reaches the denial flow before the call returns`() {
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard<Doorkeeper>(slot: slot) { board, _ in board.complete() }
        }
        hear(on: motherboard, as: "root")
        #expect(motherboard.activate(.first, with: 1).state == .denied(Denial(of: .first, by: .login, .gateDone)))
        #expect(journal.lines == ["root: first login gateDone"])
    }

    @Test(.rule("B51")) func `a denial by an unregistered gate reaches the denial flow`() {
        motherboard.gate(.second, by: BoardID<Doorkeeper>("nobody")) { _ in .open }
        hear(on: motherboard, as: "root")
        motherboard.activate(.second, with: 1)
        #expect(journal.lines == ["root: second nobody noSuchGate"])
    }

    @Test(.rule("B51")) func `a denied gate board is reported only as the reason for the waiting activations`() {
        motherboard.gate(.login, by: .terms) { $0 ? .open : .closed }
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        terms.boards[0].send(false)
        let line = "root: first login gateDenied(by gate 'terms': closed)"
        #expect(journal.lines == [line, line])
    }

    @Test(.rule("B51")) func `a gate board that is activated directly reports its own denial`() {
        motherboard.gate(.login, by: .terms) { $0 ? .open : .closed }
        hear(on: motherboard, as: "root")
        motherboard.activate(.login)
        terms.boards[0].send(false)
        #expect(journal.lines == ["root: login terms closed"])
    }

    @Test(.rule("B51")) func `a cycle of gates is reported once`() {
        motherboard.gate(.login, by: .login) { _ in .open }
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["root: first login cycle(login needs login)"])
    }

    @Test(.rule("B51")) func `a denied link reaches the denial flow`() {
        motherboard.registerLink("first/{n}", to: .first)
        hear(on: motherboard, as: "root")
        #expect(motherboard.open("/first/7") == .waiting)
        logins.boards[0].complete()
        #expect(journal.lines == ["root: first login gateDone"])
    }

    @Test(.rule("B51")) func `a denied result is thrown to its caller and reaches no denial flow`() async {
        hear(on: motherboard, as: "root")
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        await logins.board(0).send(false)
        let error = await #expect(throws: BoardError.self) { try await caller.value }
        #expect(error?.denial == Denial(of: .first, by: .login, .closed))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B51")) func `a cancelled activation and a completed motherboard reach no denial flow`() {
        let inner = motherboard.makeInner()
        hear(on: motherboard, as: "root")
        hear(on: inner, as: "inner")
        motherboard.activate(.first, with: 1).complete()
        let inside = inner.activate(.first, with: 2)
        motherboard.complete(BoardID<GuardedPage>("container"))
        #expect(inside.state == .denied(Denial(of: .first, by: .login, .ownerGone)))
        motherboard.activate(.first, with: 3)
        motherboard.complete()
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B51")) func `a denial flow can activate a board that is denied in turn`() {
        motherboard.gate(.second, by: .terms) { $0 ? .open : .closed }
        motherboard.registerDenialFlow { [journal] denial, motherboard in
            journal.note("\(denial.board)")
            if denial.board == AnyBoardID(BoardID<Numbers>.first) { motherboard.activate(.second, with: 1) }
        }
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(motherboard.snapshot().boards.map(\.isWaiting) == [false, true])
        terms.boards[0].send(false)
        #expect(journal.lines == ["first", "second"])
    }

    @Test(.rule("B51")) func `a denial flow that an earlier denial flow removes does not run`() {
        var second: Registration?
        motherboard.registerDenialFlow { [journal] _, motherboard in
            journal.note("one")
            if let second { motherboard.remove(second) }
        }
        second = motherboard.registerDenialFlow { [journal] _, _ in journal.note("two") }
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["one"])
    }

    @Test(.rule("B51")) func `a denial flow registered before the delivery of a denial receives that denial`() {
        hear(on: motherboard, as: "root")
        let first = motherboard.activate(.first, with: 1)
        motherboard.registerFlow(from: .start) { [journal] _, motherboard in
            #expect(first.state != .waiting)
            motherboard.registerDenialFlow { _, _ in journal.note("late") }
        }
        motherboard.probe(.start) { [logins] board, _ in
            logins.boards[0].send(false)
            board.send("")
        }
        motherboard.activate(.start)
        #expect(journal.lines == ["root: first login closed", "late"])
    }

    @Test(.rule("B51", "B59")) func `a denial flow with a target runs while the target is alive`() {
        var target: Journal? = Journal()
        motherboard.registerDenialFlow(weak: target ?? journal) { target, denial in target.note("\(denial.board)") }
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(target?.lines == ["first"])
        weak let gone = target
        target = nil
        #expect(gone == nil)
        motherboard.activate(.first, with: 1)
        logins.boards[1].send(false)
    }

    @Test(.rule("B51", "B59")) func `a denial flow with a released target does not stop outer denial flows`() {
        let inner = motherboard.makeInner()
        hear(on: motherboard, as: "root")
        do {
            let target = Journal()
            inner.registerDenialFlow(weak: target) { target, _ in target.note("heard") }
        }
        inner.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B51")) func `a removed denial flow does not stop outer denial flows`() {
        let inner = motherboard.makeInner()
        hear(on: motherboard, as: "root")
        let token = inner.registerDenialFlow { [journal] _, _ in journal.note("inner") }
        inner.remove(token)
        inner.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B33")) func `a completed motherboard releases its denial flows`() {
        weak var captured: Journal?
        let motherboard = Motherboard()
        do {
            let journal = Journal()
            captured = journal
            motherboard.registerDenialFlow { _, _ in journal.note("heard") }
        }
        #expect(captured != nil)
        motherboard.complete()
        #expect(captured == nil)
    }
}
