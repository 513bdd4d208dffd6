import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

/// A mutation in memory whose first attempt brought no outcome.
@MainActor @Suite(.timeLimit(.minutes(5))) struct RepeatedMutationTests {
    private struct NoAnswer: Error {}

    private struct Status: ServerFailure {
        let statusCode: Int?
        var mayHaveArrived = true
        var isRefusal: Bool { statusCode != nil }
        var isMissing: Bool { statusCode == 404 }
        var reason: String? { nil }
        var retryAfter: Duration? { nil }
    }

    private let clock = ManualClock()
    private let sends = LoadStub<IdempotencyKey, Void>()

    /// Returns a loaded note.
    private func note(in store: RecordStore<Int, String>? = nil) async -> Loader<Int, String> {
        let store = store ?? RecordStore<Int, String>(clock: clock)
        let note = Loader(store: store) { _ in "text" }
        note.load(1)
        await note.settled()
        return note
    }

    private func edit() -> Mutation<String> {
        Mutation(.edit { text in text = "new" }) { [sends] in try await sends.load($0) }
    }

    /// Loses the response to the first attempt, and ends the second one with a status.
    private func loseResponse(then status: Int) async {
        await sends.fail(request: 1, with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(60))
        await sends.fail(request: 2, with: Status(statusCode: status))
    }

    @Test(.rule("D27")) func `a conflict after a lost response keeps the mutation and its key`() async throws {
        let note = await note()
        let edit = edit()
        let caller = Task { try await note.mutate(edit) }
        await loseResponse(then: 409)
        await clock.sleepers(atLeast: 1)
        #expect(note.value == "new")
        clock.advance(by: .seconds(60))
        await sends.succeed(request: 3, with: ())
        try await caller.value
        #expect(Set(sends.ids).count == 1)
    }

    @Test(.rule("D27")) func `a refusal of the key after a lost response undoes the mutation`() async throws {
        let note = await note()
        let edit = edit()
        let caller = Task { try await note.mutate(edit) }
        await loseResponse(then: 422)
        await #expect(throws: FeatureError.self) { try await caller.value }
        #expect(note.value == "text")
    }

    @Test(.rule("D14", "U2")) func `a day after a lost response, only the user sends the mutation again`() async throws
    {
        let store = RecordStore<Int, String>(clock: clock)
        let note = await note(in: store)
        let edit = edit()
        let caller = Task { try await note.mutate(edit) }
        await sends.fail(request: 1, with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(24 * 60 * 60))
        store.refresh()
        for _ in 0..<1000 { await Task.yield() }
        #expect(sends.ids.count == 1)
        #expect(note.value == "new")
        #expect(note.pending.map(\.status) == [.unconfirmed])
        note.retryPending()
        await sends.fail(request: 2, with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(60))
        await sends.succeed(request: 3, with: ())
        try await caller.value
        #expect(Set(sends.ids).count == 1)
    }

    @Test(.rule("D14", "D27")) func `a lasting conflict is sent again until the key window is over`() async throws {
        let note = await note()
        let edit = edit()
        let caller = Task { try await note.mutate(edit) }
        await sends.fail(request: 1, with: NoAnswer())
        for attempt in 2...24 {
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(3600))
            await sends.fail(request: attempt, with: Status(statusCode: 409))
        }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(3600))
        for _ in 0..<1000 { await Task.yield() }
        #expect(sends.ids.count == 24)
        #expect(note.pending.map(\.status) == [.unconfirmed])
        #expect(note.pending.first?.error?.status == 409)
        note.retryPending()
        await sends.succeed(request: 25, with: ())
        try await caller.value
        #expect(Set(sends.ids).count == 1)
    }

    @Test(.rule("D26")) func `a mutation that cannot be sent now is sent later, even after days`() async throws {
        let note = await note()
        let edit = edit()
        let caller = Task { try await note.mutate(edit) }
        for attempt in 1...50 {
            await sends.fail(request: attempt, with: Status(statusCode: nil, mayHaveArrived: false))
            await clock.sleepers(atLeast: 1)
            #expect(note.pending.map(\.status) == [.queued])
            clock.advance(by: .seconds(3600))
        }
        await sends.succeed(request: 51, with: ())
        try await caller.value
        #expect(Set(sends.ids).count == 1)
    }

    @Test(.rule("D27")) func `if a repeated deletion finds nothing, it is confirmed`() async throws {
        let note = await note()
        let erase = Mutation<String>(.delete, send: { [sends] key in try await sends.load(key) })
        let caller = Task { try await note.mutate(erase) }
        await loseResponse(then: 404)
        try await caller.value
        #expect(note.value == nil)
    }
}
