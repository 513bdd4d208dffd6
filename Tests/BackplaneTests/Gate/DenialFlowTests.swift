import Backplane
import TestSupport
import Testing

/// Denials are heard on the nearest motherboard that listens.
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

    @Test(.rule("B51")) func `A denial is heard with the board, the gate and the reason`() {
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B51")) func `Each activation that is denied is heard, in the order in which they waited`() {
        motherboard.gate(.second, by: .login) { _ in .closed }
        hear(on: motherboard, as: "root")
        motherboard.activate(.second, with: 1)
        motherboard.activate(.first, with: 1)
        logins.boards[0].complete(.cancelled)
        #expect(journal.lines == ["root: second login gateCancelled", "root: first login gateCancelled"])
    }

    @Test(.rule("B51")) func `All handlers of a level hear it in order, and those further out do not`() {
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

    @Test(.rule("B51")) func `It is heard behind the outputs that were sent before`() {
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

    @Test(.rule("B51")) func `A denial while the board is being activated is heard before the call returns`() {
        motherboard.register(.login, replacing: true) { slot in
            ProbeBoard<Doorkeeper>(slot: slot) { board, _ in board.complete() }
        }
        hear(on: motherboard, as: "root")
        #expect(motherboard.activate(.first, with: 1).state == .denied(Denial(of: .first, by: .login, .gateDone)))
        #expect(journal.lines == ["root: first login gateDone"])
    }

    @Test(.rule("B51")) func `A gate that nobody registered is heard`() {
        motherboard.gate(.second, by: BoardID<Doorkeeper>("nobody")) { _ in .open }
        hear(on: motherboard, as: "root")
        motherboard.activate(.second, with: 1)
        #expect(journal.lines == ["root: second nobody noSuchGate"])
    }

    @Test(.rule("B51")) func `Of gates behind gates only what was to be entered is heard`() {
        motherboard.gate(.login, by: .terms) { $0 ? .open : .closed }
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        terms.boards[0].send(false)
        let line = "root: first login gateDenied(by gate 'terms': closed)"
        #expect(journal.lines == [line, line])
    }

    @Test(.rule("B51")) func `A gate's board that was activated by itself is heard like any other`() {
        motherboard.gate(.login, by: .terms) { $0 ? .open : .closed }
        hear(on: motherboard, as: "root")
        motherboard.activate(.login)
        terms.boards[0].send(false)
        #expect(journal.lines == ["root: login terms closed"])
    }

    @Test(.rule("B51")) func `A circle is heard once`() {
        motherboard.gate(.login, by: .login) { _ in .open }
        hear(on: motherboard, as: "root")
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["root: first login circle(login needs login)"])
    }

    @Test(.rule("B51")) func `A link that is denied is heard`() {
        motherboard.registerLink("first/{n}", to: .first)
        hear(on: motherboard, as: "root")
        #expect(motherboard.open("/first/7") == .waiting)
        logins.boards[0].complete()
        #expect(journal.lines == ["root: first login gateDone"])
    }

    @Test(.rule("B51")) func `A result that is denied is thrown to its caller and not heard`() async {
        hear(on: motherboard, as: "root")
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        await logins.board(0).send(false)
        let error = await #expect(throws: BoardError.self) { try await caller.value }
        #expect(error?.denial == Denial(of: .first, by: .login, .closed))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B51")) func `Giving up is not heard, nor is the end of the motherboard`() {
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

    @Test(.rule("B51")) func `A handler may activate, and what it activates may be denied in turn`() {
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

    @Test(.rule("B51")) func `A handler that was removed hears nothing, also where it is removed by one before it`() {
        var second: FlowToken?
        motherboard.registerDenialFlow { [journal] _, motherboard in
            journal.note("one")
            if let second { motherboard.removeFlow(second) }
        }
        second = motherboard.registerDenialFlow { [journal] _, _ in journal.note("two") }
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["one"])
    }

    @Test(.rule("B51")) func `The handlers that hear a denial are those registered when its turn comes`() {
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

    @Test(.rule("B51", "B59")) func `A handler with a target hears as long as there is the target`() {
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

    @Test(.rule("B51", "B59")) func `A handler whose target has gone hides nothing from those further out`() {
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

    @Test(.rule("B51")) func `A handler that is removed hides nothing from those further out`() {
        let inner = motherboard.makeInner()
        hear(on: motherboard, as: "root")
        let token = inner.registerDenialFlow { [journal] _, _ in journal.note("inner") }
        inner.removeFlow(token)
        inner.activate(.first, with: 1)
        logins.boards[0].send(false)
        #expect(journal.lines == ["root: first login closed"])
    }

    @Test(.rule("B33")) func `A motherboard that completes lets go of its handlers`() {
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
