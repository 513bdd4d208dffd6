import Backplane
import TestSupport
import Testing

/// An activation that gives up leaves its gates, and takes along what was begun for it alone.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GivingUpTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let terms = Asked<Doorkeeper>()
    let questions = Asked<Question>()
    let events: EventRecord

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.terms, notedIn: terms)
        motherboard.probe(.confirm, notedIn: questions)
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.probe(id, reuse: .perActivation) { [journal] _, input in journal.note("\(id) \(input)") }
        }
        for id in [BoardID<Doorkeeper>.login, .terms] {
            motherboard.registerCompletionFlow(id) { [journal] completion, _ in journal.note("\(id) \(completion)") }
        }
        motherboard.registerCompletionFlow(.confirm) { [journal] completion, _ in journal.note("confirm \(completion)")
        }
        events = motherboard.observeEvents()
    }

    private func expectGivenUp<Contract>(_ activation: Activation<Contract>, ending: String...) {
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "cancelled")
        #expect(journal.lines == ending)
        #expect(motherboard.isCalm)
        #expect(events.boards(.gateDenied).isEmpty)
    }

    @Test(.rule("B50")) func `At the first gate it takes along the board that was made for it`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        activation.complete()
        expectGivenUp(activation, ending: "login cancelled")
        #expect(!motherboard.isLive(.login))
    }

    @Test(.rule("B50")) func `At a gate with input it takes along the board of its question`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { _ in .open }
        let shared = motherboard.activate(.confirm, with: "Tips?")
        let activation = motherboard.activate(.first, with: 1)
        activation.complete(.failed(Oops()))
        expectGivenUp(activation, ending: "confirm cancelled")
        #expect(shared.state == .active)
        #expect(motherboard.liveCount(of: .confirm) == 1)
    }

    @Test(.rule("B50")) func `At the second gate it leaves the first one's board alone`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.first, by: .terms) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        activation.complete()
        expectGivenUp(activation, ending: "terms cancelled")
        #expect(motherboard.isLive(.login))
    }

    @Test(.rule("B50")) func `A board that was live before stays`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.activate(.login)
        let activation = motherboard.activate(.first, with: 1)
        #expect(logins.boards.count == 2)
        activation.complete()
        expectGivenUp(activation)
        #expect(motherboard.isLive(.login))
        logins.boards[0].send(true)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B50")) func `A board that was made for an earlier response stays`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        motherboard.activate(.first, with: 2).complete()
        #expect(motherboard.isLive(.login))
        #expect(journal.lines == ["first 1"])
    }

    @Test(.rule("B50")) func `A board that was made for it and then activated for something else stays`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        var login: Activation<Doorkeeper>?
        motherboard.probe(.start) { board, _ in
            login = board.nextToBoard(.login)
            activation.complete()
        }
        motherboard.activate(.start)
        #expect(activation.state == .completed)
        #expect(login?.state == .active)
    }

    @Test(.rule("B50")) func `While the gate's board waits at a gate of its own, that one's board goes along`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        #expect(terms.boards.count == 1)
        activation.complete()
        expectGivenUp(activation, ending: "terms cancelled")
        #expect(logins.boards.isEmpty)
    }

    @Test(.rule("B50")) func `While the gate's board waits where somebody else does, that one goes on waiting`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        motherboard.gate(.second, by: .terms) { _ in .open }
        let second = motherboard.activate(.second, with: 2)
        let activation = motherboard.activate(.first, with: 1)
        activation.complete()
        #expect(activation.state == .completed)
        #expect(second.state == .waiting)
        terms.boards[0].send(true)
        #expect(journal.lines == ["second 2"])
        #expect(logins.boards.isEmpty)
    }

    @Test(.rule("B50")) func `One of two leaves, and the other is entered`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        let leaving = motherboard.activate(.first, with: 1)
        let staying = motherboard.activate(.first, with: 2)
        leaving.complete()
        #expect(motherboard.isLive(.login))
        logins.boards[0].send(true)
        #expect(leaving.state == .completed)
        #expect(staying.state == .active)
        #expect(journal.lines == ["first 2"])
    }

    @Test(.rule("B50")) func `The next activation after the last has left asks anew`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.activate(.first, with: 1).complete()
        let next = motherboard.activate(.first, with: 2)
        #expect(next.state == .waiting)
        #expect(logins.boards.count == 2)
        #expect(logins.boards[0] !== logins.boards[1])
    }

    @Test(.rule("B50"), arguments: [GateVerdict.open, .closed, .undecided])
    func `While its verdict is asked for it is neither entered nor denied`(verdict: GateVerdict) {
        var activation: Activation<Numbers>?
        motherboard.gate(.first, by: .login) { _ in
            activation?.complete()
            return verdict
        }
        activation = motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        #expect(activation?.state == .completed)
        #expect(journal.lines == ["login cancelled"])
        #expect(motherboard.isCalm)
        #expect(events.boards(.gateDenied).isEmpty)
        #expect(events.boards(.gateOpened).isEmpty)
    }

    @Test(.rule("B50")) func `While the verdict on another is asked for it leaves, and the other is entered`() {
        var leaving: Activation<Numbers>?
        motherboard.gate(.second, by: .login) { _ in
            leaving?.complete()
            return .open
        }
        motherboard.gate(.first, by: .login) { _ in .open }
        let staying = motherboard.activate(.second, with: 2)
        leaving = motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        #expect(leaving?.state == .completed)
        #expect(staying.state == .active)
        #expect(journal.lines == ["second 2"])
        #expect(motherboard.isLive(.login), "its run ended with a response")
    }

    @Test(.rule("B50")) func `While it is being entered its board ends at once`() {
        var activation: Activation<Numbers>?
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.register(.first, replacing: true) { slot in
            ProbeBoard(slot: slot) { _, _ in activation?.complete() }
        }
        activation = motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        #expect(activation?.state == .completed)
        #expect(!motherboard.isLive(.first))
        #expect(motherboard.isLive(.login))
    }

    @Test(.rule("B50")) func `Judged open and not entered yet it is not entered any more`() {
        var second: Activation<Numbers>?
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.second, by: .login) { _ in .open }
        motherboard.register(.first, replacing: true) { slot in
            ProbeBoard(slot: slot) { _, _ in second?.complete() }
        }
        motherboard.activate(.first, with: 1)
        second = motherboard.activate(.second, with: 2)
        logins.boards[0].send(true)
        #expect(second?.state == .completed)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B50", "B65")) func `A cancelled caller leaves its gate, and hears that it was cancelled`() async {
        motherboard.gate(.first, by: .login) { _ in .open }
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        _ = await logins.board(0)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(!motherboard.isLive(.login))
        #expect(journal.lines == ["login cancelled"])
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B50", "B65")) func `Of two callers one is cancelled, and the other has its result`() async throws {
        motherboard.register(.first, reuse: .perActivation, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, input in board.send(input) }
        }
        motherboard.gate(.first, by: .login) { _ in .open }
        let leaving = Task { try await motherboard.result(of: .first, with: 1) }
        let login = await logins.board(0)
        let staying = Task { try await motherboard.result(of: .first, with: 2) }
        while motherboard.snapshot().boards.count < 2 { await Task.yield() }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        login.send(true)
        #expect(try await staying.value == 2)
    }

    @Test(.rule("B50", "B54")) func `All who wait for an ID give up when it is completed, and others go on waiting`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.second, by: .login) { _ in .open }
        let first = [1, 2].map { motherboard.activate(.first, with: $0) }
        let second = motherboard.activate(.second, with: 3)
        motherboard.complete(.first)
        #expect(first.map(\.state) == [.completed, .completed])
        #expect(second.state == .waiting)
        motherboard.complete(.second)
        #expect(second.state == .completed)
        #expect(journal.lines == ["login cancelled"])
    }
}
