import Backplane
import TestSupport
import Testing

/// The boards of one ID are observed together with their values.
@MainActor @Suite(.rule("B58"), .timeLimit(.minutes(1)))
struct HappeningTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.probe(.first) { board, input in if input > 5 { board.send(input) } }
    }

    private func note(_ name: String, _ happening: TypedBoardEvent<Numbers>) {
        let text =
            switch happening {
            case .activated(let input): "activated \(input)"
            case .sent(let output): "sent \(output)"
            case .received(let command): "received \(command)"
            case .completed(let completion): "completed \(completion)"
            }
        journal.note("\(name): \(text)")
    }

    @discardableResult
    private func observe(on motherboard: Motherboard, as name: String = "root") -> Registration {
        motherboard.observe(.first) { note(name, $0) }
    }

    @Test func `an observer receives inputs, outputs, commands and completions of its board ID only`() {
        motherboard.probe(.second) { board, input in board.send(input) }
        observe(on: motherboard)
        let activation = motherboard.activate(.first, with: 6)
        motherboard.activate(.second, with: 1)
        motherboard.activate(.first, with: 2)
        motherboard.send(3, to: .first)
        motherboard.send(3, to: .second)
        activation.complete()
        motherboard.complete(.first, .failed(Oops()))
        #expect(
            journal.lines == [
                "root: activated 6", "root: sent 6", "root: activated 2", "root: received 3",
                "root: completed failed(Oops)",
            ]
        )
    }

    @Test func `an output is observed before its flows run, and also without any flow`() {
        observe(on: motherboard)
        motherboard.activate(.first, with: 6)
        motherboard.registerFlow(from: .first) { [journal] output, _ in journal.note("flow \(output)") }
        motherboard.activate(.first, with: 7)
        #expect(
            journal.lines == ["root: activated 6", "root: sent 6", "root: activated 7", "root: sent 7", "flow 7"]
        )
    }

    @Test func `a command to a handle and a command to all boards are each observed once`() {
        motherboard.probe(.second, reuse: .perActivation)
        var received: [Int] = []
        motherboard.observe(.second) { if case .received(let command) = $0 { received.append(command) } }
        let handles = [motherboard.activate(.second, with: 1), motherboard.activate(.second, with: 2)]
        handles[0].send(7)
        motherboard.send(8, to: .second)
        handles[0].complete()
        handles[0].send(9)
        #expect(received == [7, 8])
    }

    @Test(.rule("B31")) func `an activation is observed when it enters, not while it waits`() {
        let logins = Asked<Doorkeeper>()
        motherboard.probe(.login, notedIn: logins)
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        observe(on: motherboard)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        logins.boards[0].send(true)
        #expect(journal.lines == ["root: activated 1"])
        motherboard.activate(.first, with: 2)
        logins.boards[1].send(false)
        #expect(journal.lines == ["root: activated 1"])
    }

    @Test func `events inside are observed outside, and events outside are not observed inside`() {
        let inner = motherboard.makeInner()
        observe(on: inner, as: "inner")
        observe(on: motherboard)
        inner.activate(.first, with: 6)
        motherboard.activate(.first, with: 1)
        motherboard.complete(BoardID<GuardedPage>("container"))
        #expect(
            journal.lines == [
                "inner: activated 6", "root: activated 6", "inner: sent 6", "root: sent 6", "root: activated 1",
                "inner: completed cancelled", "root: completed cancelled",
            ]
        )
    }

    @Test func `a private board is observed`() async throws {
        observe(on: motherboard)
        #expect(try await motherboard.result(of: .first, with: 6) == 6)
        #expect(journal.lines == ["root: activated 6", "root: sent 6", "root: completed done"])
    }

    @Test func `observers are notified in order, and a stopped observer is not notified`() {
        var second: Registration?
        motherboard.observe(.first) { [motherboard, journal] _ in
            journal.note("first")
            if let second { motherboard.remove(second) }
        }
        second = observe(on: motherboard, as: "second")
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["first"])
        if let second { motherboard.remove(second) }
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["first", "first"])
    }

    @Test func `an observer added during a notification receives the next event`() {
        var isAdded = false
        motherboard.observe(.first) { _ in
            guard !isAdded else { return }
            isAdded = true
            observe(on: motherboard, as: "late")
        }
        motherboard.activate(.first, with: 6)
        #expect(journal.lines == ["late: sent 6"])
    }

    @Test(.rule("B33"))
    func `a completed motherboard releases its observers, and stopping them later does nothing`() {
        weak var captured: Journal?
        var token: Registration?
        let motherboard = Motherboard()
        do {
            let journal = Journal()
            captured = journal
            token = motherboard.observe(.first) { _ in journal.note("seen") }
        }
        #expect(captured != nil)
        motherboard.complete()
        #expect(captured == nil)
        if let token { motherboard.remove(token) }
    }
}
