import TestSupport
import Testing

@testable import Backplane

/// An activation cancelled while waiting leaves its gates and ends the boards made only for it.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GivingUpTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let events: EventRecord

    init() {
        motherboard.probe(.login, notedIn: logins)
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.probe(id, reuse: .perActivation) { [journal] _, input in journal.note("\(id) \(input)") }
        }
        motherboard.registerCompletionFlow(.login) { [journal] completion, _ in journal.note("login \(completion)") }
        events = motherboard.observeEvents()
    }

    private func expectGivenUp<Contract>(_ activation: Activation<Contract>, ending: String...) {
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "cancelled")
        #expect(journal.lines == ending)
        #expect(motherboard.isCalm)
        #expect(events.boards(.gateDenied).isEmpty)
    }

    @Test(.rule("B50")) func `if an activation is cancelled at the first gate, the gate board made for it ends`() {
        motherboard.gate(.first, by: .login) { _ in .open }
        let activation = motherboard.activate(.first, with: 1)
        activation.complete()
        expectGivenUp(activation, ending: "login cancelled")
        #expect(!motherboard.isLive(.login))
    }

    @Test(.rule("B50"), arguments: [GateVerdict.open, .closed, .undecided])
    func `if its own verdict closure cancels an activation, it does not enter and is not denied`(verdict: GateVerdict) {
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

    @Test(.rule("B50")) func `if the verdict closure of one activation cancels another one, the first one enters`() {
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
}
