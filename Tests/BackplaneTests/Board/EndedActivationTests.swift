import Backplane
import TestSupport
import Testing

/// A completion flow receives the activation that ended, and an unhandled failure raises an event.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EndedActivationTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.probe(.first)
        motherboard.probe(.second, reuse: .perActivation)
    }

    // MARK: Equal activations

    @Test(.rule("B64")) func `Copies of a handle are equal and handles of different activations are not`() {
        let first = motherboard.activate(.first, with: 1)
        let copy = first
        let again = motherboard.activate(.first, with: 1)
        #expect(first == copy)
        #expect(first != again)
        let seconds = [motherboard.activate(.second, with: 1), motherboard.activate(.second, with: 1)]
        #expect(seconds[0] != seconds[1])
        first.complete()
        #expect(first == copy)
        let unknown = motherboard.activate(BoardID<Numbers>("nobody"), with: 1)
        #expect(unknown == unknown)
        #expect(unknown != motherboard.activate(BoardID<Numbers>("nobody"), with: 1))
    }

    @Test(.rule("B64")) func `A handle from before the gate equals the activation that ends after the gate opens`() {
        let logins = Asked<Doorkeeper>()
        motherboard.probe(.login, notedIn: logins)
        motherboard.gate(.second, by: .login) { $0 ? .open : .closed }
        let handles = [motherboard.activate(.second, with: 1), motherboard.activate(.second, with: 2)]
        #expect(handles[0] != handles[1])
        var ended: [Activation<Numbers>] = []
        motherboard.registerCompletionFlow(.second) { _, activation, _ in ended.append(activation) }
        logins.boards[0].send(true)
        #expect(handles[0] != handles[1])
        handles[1].complete()
        #expect(ended == [handles[1]])
        handles[0].complete()
        #expect(ended == [handles[1], handles[0]])
    }

    // MARK: Completion flows

    @Test(.rule("B64")) func `A completion flow receives the activation that ended among several`() {
        let handles = (1...3).map { motherboard.activate(.second, with: $0) }
        motherboard.registerCompletionFlow(.second) { [journal, motherboard] completion, activation, given in
            #expect(given === motherboard)
            #expect(activation.state == .completed)
            #expect(activation.id == .second)
            journal.note("\(handles.firstIndex(of: activation) ?? -1) \(completion)")
        }
        handles[2].complete()
        handles[0].complete(.cancelled)
        motherboard.complete(.second)
        #expect(journal.lines == ["2 done", "0 cancelled", "1 done"])
    }

    @Test(.rule("B64")) func `A completion flow of a reactivated board receives the last activation`() {
        var ended: Activation<Numbers>?
        motherboard.registerCompletionFlow(.first) { _, activation, _ in ended = activation }
        let first = motherboard.activate(.first, with: 1)
        let again = motherboard.activate(.first, with: 2)
        motherboard.complete(.first)
        #expect(ended == again)
        #expect(ended != first)
    }

    @Test(.rule("B64")) func `A completion flow may activate the ID again, and the ended activation stays completed`() {
        var ended: Activation<Numbers>?
        motherboard.registerCompletionFlow(.first) { _, activation, motherboard in
            guard ended == nil else { return }
            ended = activation
            #expect(motherboard.activate(.first, with: 2) != activation)
        }
        let first = motherboard.activate(.first, with: 1)
        first.complete()
        #expect(ended == first)
        #expect(first.state == .completed)
        #expect(motherboard.isLive(.first))
    }

    // MARK: Failures

    private func failFirst() -> EventRecord {
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1).complete(.failed(Oops()))
        return events
    }

    @Test(.rule("B64")) func `An unhandled failure raises an event after the completion event`() {
        let events = failFirst()
        #expect(events.events.map(\.kind).suffix(2) == [.completed, .unhandledFailure])
        #expect(events.boards(.unhandledFailure) == ["first"])
    }

    @Test(.rule("B64")) func `A board that completes or is cancelled raises no failure event`() {
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1).complete()
        motherboard.activate(.first, with: 1).complete(.cancelled)
        #expect(events.boards(.unhandledFailure).isEmpty)
    }

    @Test(.rule("B64")) func `A completion flow handles a failure`() {
        motherboard.registerCompletionFlow(.first) { _, _ in }
        #expect(failFirst().boards(.unhandledFailure).isEmpty)
    }

    @Test(.rule("B64")) func `A removed completion flow does not handle a failure`() {
        motherboard.remove(motherboard.registerCompletionFlow(.first) { _, _ in })
        #expect(failFirst().boards(.unhandledFailure) == ["first"])
    }

    @Test(.rule("B64", "B59")) func `A completion flow with a released target does not handle a failure`() {
        do {
            let target = Journal()
            motherboard.registerCompletionFlow(.first, weak: target) { target, _ in target.note("heard") }
        }
        #expect(failFirst().boards(.unhandledFailure) == ["first"])
    }

    @Test(.rule("B64")) func `A combined flow does not handle a failure`() {
        motherboard.registerCombinedFlow(.first, .second) { _, _, _ in }
        #expect(failFirst().boards(.unhandledFailure) == ["first"])
    }

    @Test(.rule("B64")) func `An activation waiting at a gate handles the failure of the gate board`() {
        motherboard.gate(.second, by: .first, with: 1) { _ in .open }
        let events = motherboard.observeEvents()
        let second = motherboard.activate(.second, with: 1)
        motherboard.complete(.first, .failed(Oops()))
        #expect(second.state == .denied(Denial(of: .second, by: .first, .gateFailed)))
        #expect(events.boards(.unhandledFailure).isEmpty)
    }

    @Test(.rule("B64")) func `A caller that awaits a result or outputs handles the failure of the board`() async {
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

    @Test(.rule("B64", "B35")) func `An unhandled failure of a task raises an event`() async {
        var work: Task<Void, Never>?
        motherboard.register(.first, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in work = board.task { throw Oops() } }
        }
        let events = motherboard.observeEvents()
        motherboard.activate(.first, with: 1)
        await work?.value
        #expect(events.boards(.unhandledFailure) == ["first"])
    }
}
