import Backplane
import TestSupport
import Testing

/// A completion flow receives the activation that ended, and an unhandled failure raises an event.
@MainActor @Suite(.rule("B64"), .timeLimit(.minutes(1)))
struct EndedActivationTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.probe(.first)
        motherboard.probe(.second, reuse: .perActivation)
    }

    @Test func `Copies of a handle are equal and handles of different activations are not`() {
        let first = motherboard.activate(.first, with: 1)
        let copy = first
        #expect(first != motherboard.activate(.first, with: 1))
        #expect(motherboard.activate(.second, with: 1) != motherboard.activate(.second, with: 1))
        first.complete()
        #expect(first == copy)
        let unknown = motherboard.activate(BoardID<Numbers>("nobody"), with: 1)
        #expect(unknown == unknown)
        #expect(unknown != motherboard.activate(BoardID<Numbers>("nobody"), with: 1))
    }

    @Test func `A completion flow receives the last activation of a board, and may activate the ID again`() {
        var ended: [Activation<Numbers>] = []
        motherboard.registerCompletionFlow(.first) { _, activation, motherboard in
            if ended.isEmpty { #expect(motherboard.activate(.first, with: 2) != activation) }
            ended.append(activation)
        }
        motherboard.activate(.first, with: 1)
        let again = motherboard.activate(.first, with: 2)
        motherboard.complete(.first)
        #expect(ended == [again])
        #expect(again.state == .completed)
        #expect(motherboard.isLive(.first))
    }

    /// Lets the first board end, and returns the boards with an unhandled failure.
    private func unhandledFailures(of completion: Completion = .failed(Oops())) -> [String] {
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1).complete(completion)
        return events.boards(.unhandledFailure)
    }

    @Test func `An unhandled failure raises an event after the completion event`() {
        let events = motherboard.observeEvents()
        #expect(unhandledFailures() == ["first"])
        #expect(events.events.map(\.kind).suffix(2) == [.completed, .unhandledFailure])
        #expect(unhandledFailures(of: .done) == [] && unhandledFailures(of: .cancelled) == [])
    }

    @Test(.rule("B59")) func `A completion flow handles a failure until it is removed or its target is released`() {
        motherboard.registerCombinedFlow(.first, .second) { _, _, _ in }
        do {
            let target = Journal()
            motherboard.registerCompletionFlow(.first, weak: target) { target, _ in target.note("heard") }
        }
        #expect(unhandledFailures() == ["first"], "a combined flow does not handle it either")
        let flow = motherboard.registerCompletionFlow(.first) { _, _ in }
        #expect(unhandledFailures() == [])
        motherboard.remove(flow)
        #expect(unhandledFailures() == ["first"])
    }

    @Test func `A caller that awaits a result or outputs handles the failure of the board`() async {
        let asked = Asked<Numbers>()
        motherboard.register(.first, replacing: true) { slot in ProbeBoard(slot: slot) { asked.note($0, $1) } }
        let events = motherboard.observeEvents()
        let caller = Task { try await motherboard.result(of: .first, with: 1) }
        await asked.board(0).complete(.failed(Oops()))
        await #expect(throws: Oops.self) { try await caller.value }
        let outputs = motherboard.outputs(of: .first, with: 1)
        motherboard.complete(.first, .failed(Oops()))
        #expect(events.boards(.unhandledFailure).isEmpty)
        withExtendedLifetime(outputs) {}
    }

    @Test(.rule("B35")) func `An unhandled failure of a task raises an event`() async {
        let events = motherboard.observeEvents()
        let board = motherboard.enter(BoardID<Numbers>.third, with: 1)
        await board.task { throw Oops() }.value
        #expect(events.boards(.unhandledFailure) == ["third"])
    }
}
