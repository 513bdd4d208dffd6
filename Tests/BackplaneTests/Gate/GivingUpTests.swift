@testable import Backplane
import TestSupport
import Testing

/// An activation cancelled while waiting leaves its gates and ends the boards made only for it.
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

    @Test(.rule("B50")) func `an activation cancelled at the first gate ends the gate board made for it`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        activation.complete()
        expectGivenUp(activation, ending: "login cancelled")
        #expect(!motherboard.isLive(.login))
    }

    @Test(.rule("B50")) func `an activation cancelled at a gate with input ends the board of its question`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { _ in .open }
        let shared = motherboard.activate(.confirm, with: "Tips?")
        let activation = motherboard.activate(.first, with: 1)
        activation.complete(.failed(Oops()))
        expectGivenUp(activation, ending: "confirm cancelled")
        #expect(shared.state == .active)
        #expect(motherboard.liveCount(of: .confirm) == 1)
    }

    @Test(.rule("B50")) func `an activation cancelled at the second gate does not end the first gate board`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.first, by: .terms) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        activation.complete()
        expectGivenUp(activation, ending: "terms cancelled")
        #expect(motherboard.isLive(.login))
    }

    @Test(.rule("B50")) func `a gate board that was live before stays live`() {
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

    @Test(.rule("B50")) func `a gate board made for an earlier response stays live`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        motherboard.activate(.first, with: 2).complete()
        #expect(motherboard.isLive(.login))
        #expect(journal.lines == ["first 1"])
    }

    @Test(.rule("B50")) func `a gate board made for the activation and then activated directly stays live`() {
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

    @Test(.rule("B50")) func `a cancelled activation also ends the board of a gate in front of its gate board`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.gate(.login, by: .terms) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        #expect(terms.boards.count == 1)
        activation.complete()
        expectGivenUp(activation, ending: "terms cancelled")
        #expect(logins.boards.isEmpty)
    }

    @Test(.rule("B50")) func `an activation at the gate board's own gate keeps waiting after another is cancelled`() {
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

    @Test(.rule("B50")) func `the remaining activation enters after the other activation is cancelled`() {
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

    @Test(.rule("B50")) func `the next activation asks again after the last waiting activation is cancelled`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        motherboard.activate(.first, with: 1).complete()
        let next = motherboard.activate(.first, with: 2)
        #expect(next.state == .waiting)
        #expect(logins.boards.count == 2)
        #expect(logins.boards[0] !== logins.boards[1])
    }

    @Test(.rule("B50"), arguments: [GateVerdict.open, .closed, .undecided])
    func `an activation cancelled by its own verdict closure neither enters nor is denied`(verdict: GateVerdict) {
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

    @Test(.rule("B50")) func `an activation cancelled by another's verdict closure leaves, and the other enters`() {
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
        #expect(motherboard.isLive(.login), "the gate run ended with a response")
    }

    @Test(.rule("B50")) func `an activation cancelled while entering ends its board at once`() {
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

    @Test(.rule("B50")) func `an activation cancelled between its open verdict and its entry does not enter`() {
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

    @Test(.rule("B50", "B65")) func `a cancelled caller leaves its gate and throws CancellationError`() async {
        motherboard.gate(.first, by: .login) { _ in .open }
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        _ = await logins.board(0)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(!motherboard.isLive(.login))
        #expect(journal.lines == ["login cancelled"])
        #expect(motherboard.isCalm)
    }

    @Test(.rule("B50", "B65")) func `a cancelled caller does not affect the result of another caller`() async throws {
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

    @Test(.rule("B50", "B54")) func `completing an ID cancels all activations waiting for that ID and no others`() {
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
