// The samples of "The smallest board" in Sources/Backplane/Backplane.docc/Activations.md.

import Backplane
import TestSupport
import Testing

enum Counter: BoardContract { typealias Input = Int }

@MainActor struct CounterBoard: Board {
    let slot: Slot<Counter>
    let show: (Int) -> Void

    func activate(with start: Int) { show(start) }
}

/// A scope for a member of the library.
private enum Member: BoardContract {
    struct Input { let score: Int }
}

private struct MemberBoard: Board {
    let slot: Slot<Member>
    func activate(with member: Member.Input) {}
}

@MainActor @Test(.rule("B81")) func `the smallest board is a contract, a board and a registration`() {
    let motherboard = Motherboard()
    var shown: [Int] = []
    motherboard.register { slot in CounterBoard(slot: slot) { shown.append($0) } }
    motherboard.activate(Counter.id, with: 3)
    #expect(shown == [3])
    #expect(motherboard.isLive(Counter.id))
}

@MainActor @Test(.rule("B81")) func `a board in a scope is registered and declared by one call`() {
    let motherboard = Motherboard()
    var shown: [Int] = []
    motherboard.register { slot in MemberBoard(slot: slot) }
    motherboard.register(inside: Member.id) { slot, member in
        CounterBoard(slot: slot) { shown.append($0 + member.score) }
    }
    motherboard.activate(Member.id, with: Member.Input(score: 10))
    motherboard.activate(Counter.id, with: 3)
    #expect(shown == [13])
}
