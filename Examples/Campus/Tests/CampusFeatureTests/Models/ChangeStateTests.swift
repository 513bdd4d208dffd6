import BackplaneFeatures
import BackplaneTesting
import CampusTestTools
import Foundation
import Screens
import Testing

/// The sentences about changes that the server has not confirmed.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ChangeStateTests {
    struct Row: Sendable {
        let state: ChangeState
        let text: String
        let actions: Set<ChangeState.Action>
        var needsDecision = false
    }

    nonisolated private static let noon = Date(timeIntervalSince1970: 43_200)

    nonisolated private static let rows = [
        Row(state: .queued, text: "It is sent when its turn comes.", actions: [.discard]),
        Row(state: .sending, text: "It is being sent.", actions: []),
        Row(
            state: .waiting(problem: "The campus server cannot be reached.", next: noon),
            text: """
                The campus server cannot be reached. It is sent again by itself. \
                The next attempt is at 1970-01-01 12:00:00 UTC.
                """,
            actions: [.tryNow, .discard]
        ),
        Row(
            state: .waiting(problem: nil, next: nil),
            text: "It could not be sent. It is sent again by itself.",
            actions: [.tryNow, .discard]
        ),
        Row(
            state: .unconfirmed(problem: "The campus server could not answer.", next: noon),
            text: """
                The campus server could not answer. It is not confirmed yet, and is sent again by itself. \
                The next attempt is at 1970-01-01 12:00:00 UTC.
                """,
            actions: [.tryNow]
        ),
        Row(
            state: .unconfirmed(problem: nil, next: nil),
            text: "The server has not responded. It is not confirmed yet, and is sent again by itself.",
            actions: [.tryNow]
        ),
        Row(state: .waitingForSignIn, text: "It is sent when you have signed in again.", actions: [.tryNow]),
        Row(
            state: .waitingForUpdate,
            text: "The server asks for a newer version of the app, which sends it.",
            actions: [.tryNow]
        ),
        Row(
            state: .needsRefused,
            text: "It needs an earlier change that was not carried out. Decide about that one first.",
            actions: [.discard],
            needsDecision: true
        ),
        Row(
            state: .conflict(reason: "The campus is closed for changes right now."),
            text: "The campus is closed for changes right now.",
            actions: [.edit, .sendAgain, .discard],
            needsDecision: true
        ),
        Row(
            state: .conflict(reason: nil),
            text: "This was changed elsewhere in the meantime.",
            actions: [.edit, .sendAgain, .discard],
            needsDecision: true
        ),
        Row(
            state: .unclear,
            text: "The server may have carried it out, and can no longer tell. Look before you send it again.",
            actions: [.sendAgain, .discard],
            needsDecision: true
        ),
        Row(
            state: .refused(reason: "The term is over."),
            text: "The term is over.",
            actions: [.edit, .sendAgain, .discard],
            needsDecision: true
        ),
        Row(
            state: .refused(reason: nil),
            text: "This could not be changed.",
            actions: [.edit, .sendAgain, .discard],
            needsDecision: true
        ),
        Row(state: .missing, text: "This no longer exists.", actions: [.discard], needsDecision: true),
    ]

    @Test(.rule("U4"), arguments: rows)
    func `each state has one sentence, and says what the user can do`(row: Row) {
        #expect(row.state.text == row.text)
        #expect(row.state.actions == row.actions)
        #expect(row.state.needsDecision == row.needsDecision)
    }

    /// A refusal that leaves the change undone.
    private struct Refusal: DefiniteRejection {}

    @Test func `a change in memory has a sentence for each of its states`() async throws {
        let sends = LoadStub<IdempotencyKey, Void>()
        let numbers = Loader<NoID, [Int]>(store: RecordStore(clock: ManualClock())) { [0] }
        numbers.load(on: MainActor.shared)
        await numbers.settled()
        for number in 1...2 {
            try numbers.enqueue(Mutation(.set(\.self, to: [number])) { key in try await sends.load(key) })
        }
        await sends.requests(atLeast: 1)
        #expect(numbers.pending.map { ChangeState($0) } == [.sending, .queued])
        #expect(numbers.pending.isBusy && ChangeModel(numbers.pending) == nil)
        sends.fail(with: DisplayError("No answer."))
        while numbers.pending.first?.status == .sending, !Task.isCancelled { await Task.yield() }
        #expect(numbers.pending.map { ChangeState($0) } == [.unconfirmed(problem: nil, next: nil), .queued])
        #expect(!numbers.pending.isBusy, "the second waits as long as the first")
        #expect(ChangeModel(numbers.pending)?.delay?.canTryNow == true)
        numbers.retryPending()
        await sends.requests(atLeast: 2)
        sends.fail(with: Refusal())
        while numbers.pending.first?.status != .failed, !Task.isCancelled { await Task.yield() }
        #expect(numbers.pending.first.map { ChangeState($0) } == .refused(reason: nil))
        #expect(ChangeModel(numbers.pending)?.refusals.map(\.reason) == ["This could not be changed."])
    }
}
