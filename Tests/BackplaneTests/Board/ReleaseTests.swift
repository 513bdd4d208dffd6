import TestSupport
import Testing

@testable import Backplane

/// Replaced, denied or released objects call back after the change is complete.
@MainActor @Suite(.rule("B60"))
struct ReleaseTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test func `A replaced factory is released after the new factory is used`() {
        var states: [ActivationState] = []
        registerFirst { [unowned motherboard] in states.append(motherboard.activate(.first, with: 1).state) }
        motherboard.register(.first, replacing: true) { [journal] slot in
            ProbeBoard(slot: slot) { _, _ in journal.note("new") }
        }
        #expect(states == [.active])
        #expect(journal.lines == ["new"])
    }

    @Test func `An activation creates no board if releasing the old inherited factory ends the motherboard`() {
        let inner = motherboard.makeInner()
        registerFirst { [unowned motherboard] in motherboard.complete(BoardID<GuardedPage>("container")) }
        inner.activate(.first, with: 1).complete()
        motherboard.register(.first, replacing: true) { [journal] slot in
            journal.note("made")
            return ProbeBoard(slot: slot)
        }
        #expect(inner.activate(.first, with: 1).state == .ownerGone)
        #expect(journal.lines.isEmpty)
    }

    /// Registers a factory that calls `action` when it is released.
    private func registerFirst(_ action: @escaping () -> Void) {
        let captured = OnRelease(action)
        motherboard.register(.first) { slot in
            captured.touch()
            return ProbeBoard(slot: slot)
        }
    }

    @Test func `A replaced fallback is released after the new fallback is used`() {
        do {
            let captured = OnRelease { [unowned motherboard] in
                motherboard.activate(BoardID<Words>("nobody"), with: "")
            }
            motherboard.registerFallback { _, _ in captured.touch() }
        }
        motherboard.registerFallback { [journal] id, _ in journal.note(id.name) }
        #expect(journal.lines == ["nobody"])
    }

    @Test func `A replaced gate is released after the new gate is used`() {
        motherboard.probe(.first)
        motherboard.probe(.login)
        var states: [ActivationState] = []
        do {
            let captured = OnRelease { [unowned motherboard] in
                states.append(motherboard.activate(.first, with: 1).state)
            }
            let unless = {
                captured.touch()
                return true
            }
            motherboard.gate(.first, by: .login, unless: unless, verdict: { _ in .open })
        }
        motherboard.gate(.first, by: .login, replacing: true) { _ in .open }
        #expect(states == [.waiting])
    }

    @Test(.rule("B33"))
    func `The input of an activation that is denied by a released motherboard may take a snapshot`() {
        var motherboard: Motherboard? = Motherboard()
        motherboard?.probe(.login)
        motherboard?.probe(.terms)
        motherboard?.probe(.parcels)
        motherboard?.probe(.words)
        let inner = motherboard?.makeInner()
        motherboard?.gate(.parcels, by: .login) { _ in .open }
        motherboard?.gate(.words, by: .terms) { _ in .open }
        var count: Int?
        motherboard?.activate(.parcels, with: OnRelease { count = inner?.snapshot().boards.count })
        let words = motherboard?.activate(.words, with: "")
        motherboard = nil
        #expect(count == 0)
        #expect(words?.state == .denied(Denial(of: .words, by: .terms, .ownerGone)))
    }

    @Test(.rule("B24", "B50"))
    func `When the nested motherboard of a completed board is released, no outside activation is denied`() {
        motherboard.probe(.login)
        motherboard.probe(.words)
        motherboard.gate(.words, by: .login) { _ in .open }
        let board = motherboard.enter(.first, with: 1)
        board.complete()
        let words = motherboard.activate(.words, with: "")
        #expect(board.inner.activate(.first, with: 1).state == .ownerGone)
        #expect(words.state == .waiting)
    }

    @Test(.rule("B50"), arguments: [false, true])
    func `An observer of a wait may complete the waiting board, and the gate board is not activated`(hasInput: Bool) {
        let keepers = Asked<Doorkeeper>()
        let questions = Asked<Question>()
        motherboard.probe(.login, notedIn: keepers)
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.probe(.words)
        if hasInput {
            motherboard.gate(.words, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        } else {
            motherboard.gate(.words, by: .login) { $0 ? .open : .closed }
        }
        let token = motherboard.observe { [unowned motherboard] event in
            if event.kind == .waiting { motherboard.complete(.words) }
        }
        #expect(motherboard.activate(.words, with: "").state == .completed)
        #expect(keepers.boards.isEmpty && questions.boards.isEmpty)
        motherboard.remove(token)
        let activation = motherboard.activate(.words, with: "")
        #expect(activation.state == .waiting)
        if hasInput { questions.boards[0].send(true) } else { keepers.boards[0].send(true) }
        #expect(activation.state == .active)
    }

    @Test func `A comparison of questions may end the wait at its gate, and the gate is asked again`() {
        final class Wish: Equatable {
            var onComparing: () -> Void = {}
            static func == (one: Wish, other: Wish) -> Bool {
                one.onComparing()
                return true
            }
        }
        enum Asking: BoardContract {
            typealias Input = Wish
            typealias Output = Bool
        }
        let asked = Asked<Asking>()
        motherboard.probe(Asking.id, notedIn: asked)
        motherboard.probe(.first, reuse: .perActivation)
        motherboard.gate(.first, by: Asking.id, asking: { _ in Wish() }, verdict: { $0 ? .open : .closed })
        let first = motherboard.activate(.first, with: 1)
        asked.inputs[0].onComparing = { first.complete() }
        let second = motherboard.activate(.first, with: 2)
        #expect(asked.boards.count == 2)
        #expect(first.state == .completed)
        asked.boards[1].send(true)
        #expect(second.state == .active)
    }
}
