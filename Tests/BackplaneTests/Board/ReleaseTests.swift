@testable import Backplane
import TestSupport
import Testing

/// Replaced, denied or released objects call back after the change is complete.
@MainActor
struct ReleaseTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B60")) func `A replaced factory is released after the new factory is in force`() {
        var states: [ActivationState] = []
        do {
            let captured = OnRelease { [unowned motherboard] in
                states.append(motherboard.activate(.first, with: 1).state)
            }
            motherboard.register(.first) { slot in
                captured.touch()
                return ProbeBoard<Numbers>(slot: slot)
            }
        }
        motherboard.register(.first, replacing: true) { [journal] slot in
            ProbeBoard<Numbers>(slot: slot) { _, _ in journal.note("new") }
        }
        #expect(states == [.active])
        #expect(journal.lines == ["new"])
    }

    @Test(.rule("B60")) func `A replaced fallback is released after the new fallback is in force`() {
        do {
            let captured = OnRelease { [unowned motherboard] in
                motherboard.activate(BoardID<Words>("nobody"), with: "")
            }
            motherboard.registerFallback { _, _ in captured.touch() }
        }
        motherboard.registerFallback { [journal] id, _ in journal.note(id.name) }
        #expect(journal.lines == ["nobody"])
    }

    @Test(.rule("B60"))
    func `An activation creates no board if releasing the old inherited factory ends the motherboard`() {
        let inner = motherboard.makeInner()
        do {
            let captured = OnRelease { [unowned motherboard] in motherboard.complete(BoardID<GuardedPage>("container"))
            }
            motherboard.register(.first) { slot in
                captured.touch()
                return ProbeBoard<Numbers>(slot: slot)
            }
        }
        inner.activate(.first, with: 1).complete()
        motherboard.register(.first, replacing: true) { [journal] slot in
            journal.note("made")
            return ProbeBoard<Numbers>(slot: slot)
        }
        #expect(inner.activate(.first, with: 1).state == .ownerGone)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B60")) func `A replaced gate is released after the new gate is in force`() {
        motherboard.probe(.first)
        motherboard.probe(.login)
        var states: [ActivationState] = []
        do {
            let captured = OnRelease { [unowned motherboard] in
                states.append(motherboard.activate(.first, with: 1).state)
            }
            motherboard.gate(
                .first,
                by: .login,
                unless: { true },
                verdict: { _ in
                    captured.touch()
                    return .open
                }
            )
        }
        motherboard.gate(.first, by: .login, replacing: true) { _ in .open }
        #expect(states == [.waiting])
    }

    @Test(.rule("B60", "B33"))
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
    func `The nested motherboard of a completed board denies no outside activation on its release`() {
        motherboard.probe(.login)
        motherboard.probe(.words)
        motherboard.gate(.words, by: .login) { _ in .open }
        var board: ProbeBoard<Numbers>?
        motherboard.probe(.first) { given, _ in board = given }
        motherboard.activate(.first, with: 1).complete()
        let words = motherboard.activate(.words, with: "")
        #expect(board?.inner.activate(.first, with: 1).state == .ownerGone)
        #expect(words.state == .waiting)
    }

    @Test(.rule("B60", "B50"), arguments: [false, true])
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
        #expect(keepers.boards.isEmpty)
        #expect(questions.boards.isEmpty)
        motherboard.remove(token)
        let activation = motherboard.activate(.words, with: "")
        #expect(activation.state == .waiting)
        #expect(keepers.boards.count + questions.boards.count == 1)
        if hasInput { questions.boards[0].send(true) } else { keepers.boards[0].send(true) }
        #expect(activation.state == .active)
    }

    @Test(.rule("B60")) func `A comparison of questions may end its own gate run, and the gate is asked again`() {
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
        let gate = BoardID<Asking>("asking")
        let asked = Asked<Asking>()
        motherboard.probe(gate, notedIn: asked)
        motherboard.probe(.first, reuse: .perActivation)
        motherboard.gate(.first, by: gate, asking: { _ in Wish() }, verdict: { $0 ? .open : .closed })
        let first = motherboard.activate(.first, with: 1)
        asked.inputs[0].onComparing = { first.complete() }
        let second = motherboard.activate(.first, with: 2)
        #expect(asked.boards.count == 2)
        #expect(first.state == .completed)
        asked.boards[1].send(true)
        #expect(second.state == .active)
    }
}
