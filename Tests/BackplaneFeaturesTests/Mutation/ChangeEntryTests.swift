import BackplaneFeatures
import TestSupport
import Testing

/// The rules for one change, without a place where it is kept, a network or a clock.
@Suite struct ChangeEntryTests {
    private static let now: Int64 = 1_000_000_000
    private static let rules = ChangeRules(keyWindow: .seconds(3600))

    private func entry(
        _ state: DeliveryState = .queued,
        attempts: Int = 0,
        notBefore: Int64 = 0,
        firstSentAt: Int64? = nil
    ) -> ChangeEntry {
        ChangeEntry(
            state: state,
            attempts: attempts,
            notBefore: notBefore,
            firstSentAt: firstSentAt
        )
    }

    private func readiness(_ entry: ChangeEntry) -> ChangeEntry.Readiness {
        entry.readiness(at: Self.now, by: Self.rules)
    }

    /// Returns the operation after a reply to its attempt; `nil` if it is confirmed.
    private func after(
        _ reply: ChangeReply,
        to attempt: ChangeAttempt = ChangeAttempt(),
        attempts: Int = 1
    ) -> ChangeEntry? {
        let sent = entry(.sending, attempts: attempts, firstSentAt: 5)
        return switch sent.settled(by: reply, to: attempt, at: Self.now, jitter: { $0 }) {
        case .acknowledged: nil
        case .continues(let entry): entry
        }
    }

    private func status(_ status: Int, retryAfter: Duration? = nil) -> ChangeReply {
        .status(status, reason: "Because.", retryAfter: retryAfter)
    }

    // MARK: Readiness

    @Test(.rule("D3"), arguments: DeliveryState.allCases)
    func `only a queued operation can be sent`(state: DeliveryState) {
        #expect(readiness(entry(state)) == (state == .queued ? .ready : .parked))
    }

    @Test(.rule("D10", "D23"))
    func `without rules, a change is not supported, and rules can exclude a network`() {
        #expect(entry().readiness(at: Self.now, by: nil) == .unsupported)
        let rules = ChangeRules(keyWindow: .seconds(3600), mayUseNetwork: false)
        #expect(entry().readiness(at: Self.now, by: rules) == .waitsForNetwork)
        #expect(entry(notBefore: Self.now + 9).readiness(at: Self.now, by: rules) == .later(Self.now + 9))
    }

    @Test(.rule("D14"))
    func `the key window begins with the first attempt without an outcome, and its end counts`() {
        let window: Int64 = 3_600_000
        #expect(readiness(entry(firstSentAt: Self.now - window + 1)) == .ready)
        #expect(readiness(entry(firstSentAt: Self.now - window)) == .expired)
        #expect(readiness(entry(firstSentAt: 0)) == .expired)
        // Also while it waits for another attempt.
        #expect(readiness(entry(notBefore: Self.now + 9, firstSentAt: Self.now - window)) == .expired)
    }

    @Test(.rule("D14"))
    func `a key window can have no end`() {
        let rules = ChangeRules(keyWindow: .seconds(Int64.max))
        #expect(entry(firstSentAt: 0).readiness(at: Self.now, by: rules) == .ready)
    }

    @Test(.rule("D5", "D25"))
    func `a wait ends at its time, and a wait that is too long is ignored`() {
        #expect(readiness(entry(notBefore: Self.now)) == .ready)
        #expect(readiness(entry(notBefore: Self.now + 1)) == .later(Self.now + 1))
        // The longest Retry-After and the longest back-off together.
        #expect(readiness(entry(notBefore: Self.now + 3_900_000)) == .later(Self.now + 3_900_000))
        #expect(readiness(entry(notBefore: Self.now + 7_200_000)) == .ready)
    }

    // MARK: Attempts

    @Test(.rule("D3"))
    func `each attempt is counted, and the first attempt begins the key window`() {
        let first = entry().sent(at: Self.now)
        #expect(first == entry(.sending, attempts: 1, firstSentAt: Self.now))
        let second = entry(attempts: 1, firstSentAt: 5).sent(at: Self.now)
        #expect(second == entry(.sending, attempts: 2, firstSentAt: 5))
    }

    @Test(.rule("D3"), arguments: DeliveryState.allCases)
    func `at the end of the process, only the state of an attempt changes`(state: DeliveryState) {
        let before = entry(state, attempts: 2, notBefore: 7, firstSentAt: 5)
        #expect(before.restarted == (state == .sending ? entry(attempts: 2, firstSentAt: 5) : before))
    }

    /// `ErrorTableTests` has the state after each response.
    @Test(.rule("D5", "D19", "D27", "D31"), arguments: 300..<600, [true, false])
    func `after a response the outcome is known if the server has decided, and the next attempt waits`(
        status code: Int,
        isFirst: Bool
    ) throws {
        let attempt = ChangeAttempt(isFirst: isFirst)
        let entry = try #require(after(status(code), to: attempt, attempts: isFirst ? 1 : 2))
        #expect(entry.status == code)
        #expect(entry.reason == "Because.")
        // After an attempt without an outcome, only a statement about the key makes it known.
        let isKnown = isFirst ? entry.state != .queued : [.refused, .conflict].contains(entry.state)
        #expect(entry.firstSentAt == (isKnown ? nil : 5))
        // D31: The code of the app decides about a conflict and a review.
        let waits = entry.state == .queued || !isFirst && [.conflict, .needsReview].contains(entry.state)
        #expect((entry.notBefore > Self.now) == waits)
    }

    @Test(.rule("D5", "D26"), arguments: [true, false], [true, false])
    func `after refused credentials, a change waits, and may forget its attempt`(
        isFirst: Bool,
        mayHaveArrived: Bool
    ) throws {
        let attempt = ChangeAttempt(isFirst: isFirst, mayHaveArrived: mayHaveArrived)
        let entry = try #require(after(.unauthorized(status: 401, reason: "Because."), to: attempt))
        #expect(entry.state == .waitingForSignIn)
        #expect(entry.status == 401)
        #expect(entry.firstSentAt == (isFirst && !mayHaveArrived ? nil : 5))
    }

    @Test(.rule("D26"), arguments: [true, false])
    func `an attempt that did not arrive never begins a key window`(isFirst: Bool) {
        let attempt = ChangeAttempt(isFirst: isFirst, mayHaveArrived: false)
        for reply in [.noResponse(reason: ""), .stopped, .impossible(reason: ""), .unauthorized()] as [ChangeReply] {
            #expect(after(reply, to: attempt)?.firstSentAt == (isFirst ? nil : 5))
            #expect(after(reply)?.firstSentAt == 5)
        }
    }

    @Test(.rule("D5"))
    func `an attempt can end in other ways`() throws {
        #expect(after(.success) == nil)
        #expect(after(.stopped) == entry(attempts: 1, firstSentAt: 5))
        #expect(after(.unreadable(reason: "Large."))?.state == .needsReview)
        #expect(after(.impossible(reason: "Bad path."))?.state == .refused)
        let lost = try #require(after(.noResponse(reason: "Offline.")))
        #expect(lost.state == .queued)
        #expect(lost.reason == "Offline.")
        #expect(lost.firstSentAt == 5)
    }

    @Test(.rule("D5"), arguments: [(1, 500), (2, 1000), (3, 2000), (10, 256_000), (11, 300_000), (1000, 300_000)])
    func `the bound of a wait doubles up to five minutes`(attempts: Int, milliseconds: Int64) {
        #expect(after(status(503), attempts: attempts)?.notBefore == Self.now + milliseconds)
        #expect(after(.noResponse(reason: ""), attempts: attempts)?.notBefore == Self.now + milliseconds)
    }

    @Test(.rule("D5"))
    func `the wait that a server asks for is added to a random part, and ends after an hour`() {
        #expect(after(status(429, retryAfter: .seconds(90)))?.notBefore == Self.now + 90_500)
        #expect(after(status(503, retryAfter: .seconds(86_400)))?.notBefore == Self.now + 3_600_500)
        let sent = entry(.sending, attempts: 1, firstSentAt: 5)
        let verdict = sent.settled(by: status(429, retryAfter: .seconds(90)), at: Self.now, jitter: { _ in .zero })
        guard case .continues(let continued) = verdict else {
            Issue.record("It was not confirmed.")
            return
        }
        #expect(continued.notBefore == Self.now + 90_000)
    }

    // MARK: Decisions

    @Test(.rule("D5", "D19"), arguments: DeliveryState.allCases)
    func `a sign-in or a new version of the app resumes the changes that wait for it`(state: DeliveryState) {
        let before = entry(state, attempts: 2, notBefore: 7, firstSentAt: 5)
        let resumes = [.queued, .waitingForSignIn, .waitingForUpdate].contains(state)
        #expect(before.resumed == (resumes ? entry(attempts: 2, firstSentAt: 5) : before))
    }

    @Test(.rule("D31"), arguments: [true, false])
    func `if code sends an operation again, the wait and the number of attempts stay`(isUnsent: Bool) {
        let unknown = entry(.needsReview, attempts: 3, notBefore: 7, firstSentAt: 5)
        let retried = unknown.retried(at: Self.now, isUnsent: isUnsent, isAutomatic: true)
        #expect(retried == entry(attempts: 3, notBefore: 7, firstSentAt: isUnsent ? nil : Self.now))
    }

    @Test(.rule("D31"))
    func `after an unreadable response, the next attempt waits, unless it was the first attempt`() {
        #expect(after(.unreadable(reason: "Large."))?.notBefore == 0)
        #expect(after(.unreadable(reason: "Large."), attempts: 2)?.notBefore == Self.now + 1000)
    }

    @Test(.rule("D14", "D21"))
    func `a retried operation counts as new, unless the server may know it`() {
        #expect(entry(.refused, attempts: 3).retried(at: Self.now, isUnsent: false) == entry())
        let unknown = entry(.needsReview, attempts: 3, notBefore: 7, firstSentAt: 5)
        #expect(unknown.retried(at: Self.now, isUnsent: true) == entry())
        #expect(unknown.retried(at: Self.now, isUnsent: false) == entry(attempts: 1, firstSentAt: Self.now))
    }
}
