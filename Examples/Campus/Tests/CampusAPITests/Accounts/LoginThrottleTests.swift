import BackplaneTesting
import Testing

@testable import CampusAPI

struct LoginThrottleTests {
    private typealias Attempt = LoginThrottle.Attempt

    private let clock = ManualClock()

    private func attempt(_ email: String, network: String = "192.0.2.1", isKnown: Bool = false) throws -> Attempt {
        Attempt(email: try EmailAddress(email), network: network, isKnown: isKnown)
    }

    private func throttle(
        perPair: Int = 100,
        perNetwork: Int = 100,
        perAccount: Int = 100
    ) -> LoginThrottle {
        let limits = LoginThrottle.Limits(perPair: perPair, perNetwork: perNetwork, perAccount: perAccount)
        return LoginThrottle(limits: limits, clock: clock)
    }

    @Test func `attempts from another network count separately`() async throws {
        let throttle = throttle(perPair: 1)
        _ = try await throttle.admit(attempt("ada"))
        _ = try await throttle.admit(attempt("ada", network: "192.0.2.2"))
        await #expect(throws: APIFailure.self) { try await throttle.admit(attempt("ada")) }
    }

    @Test func `attempts from one network have a common limit, except for users known there`() async throws {
        let throttle = throttle(perNetwork: 2)
        _ = try await throttle.admit(attempt("ada"))
        _ = try await throttle.admit(attempt("grace"))
        await #expect(throws: APIFailure.self) { try await throttle.admit(attempt("emmy")) }
        _ = try await throttle.admit(attempt("emmy", isKnown: true))
        _ = try await throttle.admit(attempt("emmy", network: "192.0.2.2"))
    }

    @Test func `users who are known in a network do not count for its limit`() async throws {
        let throttle = throttle(perNetwork: 1)
        for user in ["ada", "grace"] { _ = try await throttle.admit(attempt(user, isKnown: true)) }
        _ = try await throttle.admit(attempt("emmy"))
        await #expect(throws: APIFailure.self) { try await throttle.admit(attempt("alan")) }
    }

    @Test func `for each account, a known network has its own limit`() async throws {
        let throttle = throttle(perAccount: 1)
        _ = try await throttle.admit(attempt("ada"))
        await #expect(throws: APIFailure.self) { try await throttle.admit(attempt("ada", network: "192.0.2.2")) }
        _ = try await throttle.admit(attempt("ada", network: "192.0.2.3", isKnown: true))
        await #expect(throws: APIFailure.self) {
            try await throttle.admit(attempt("ada", network: "192.0.2.3", isKnown: true))
        }
    }

    @Test func `one large network cannot lock an account for other new networks`() async throws {
        let throttle = throttle(perPair: 5, perAccount: 100)
        func attempt(_ number: Int, in surroundings: String) throws -> Attempt {
            var attempt = try self.attempt("ada", network: "\(surroundings) \(number)")
            attempt.surroundings = surroundings
            return attempt
        }
        // A /56 has 256 networks that count as clients.
        for number in 0..<256 { _ = try? await throttle.admit(attempt(number, in: "2001:db8:0::/48")) }
        await #expect(throws: APIFailure.self) { try await throttle.admit(attempt(256, in: "2001:db8:0::/48")) }
        _ = try await throttle.admit(attempt(0, in: "2001:db8:1::/48"))
    }

    @Test func `old attempts are removed, so guessed addresses do not fill the memory`() async throws {
        let limits = LoginThrottle.Limits(perNetwork: 10_000, accountWindow: .seconds(60))
        let throttle = LoginThrottle(limits: limits, clock: clock)
        for number in 1...AttemptWindow<Int>.sweepThreshold { _ = try await throttle.admit(attempt("\(number)")) }
        clock.advance(by: .seconds(60))
        _ = try await throttle.admit(attempt("ada"))
        #expect(await throttle.keyCount == 3, "one for each limit")
    }

    @Test func `an attempt over the limit waits for one that is being checked, and is refused only if that fails`()
        async throws
    {
        let throttle = throttle(perPair: 1)
        let ada = try attempt("ada")
        for succeeds in [true, false] {
            let time = try await throttle.admitInTurn(ada)
            let second = Task { try await throttle.admitInTurn(ada) }
            while await throttle.waitingCount(ada.pair) == 0 { await Task.yield() }
            await #expect(throws: APIFailure.self, "no more than one can wait") { try await throttle.admitInTurn(ada) }
            if succeeds { await throttle.forgive(ada, at: time) }
            await throttle.end(ada)
            if succeeds {
                await throttle.forgive(ada, at: try await second.value)
                await throttle.end(ada)
            } else {
                await #expect(throws: APIFailure.self) { try await second.value }
            }
        }
    }

    @Test func `an attempt that waits can be cancelled`() async throws {
        let throttle = throttle(perPair: 1)
        let ada = try attempt("ada")
        _ = try await throttle.admitInTurn(ada)
        let second = Task { try await throttle.admitInTurn(ada) }
        while await throttle.waitingCount(ada.pair) == 0 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await throttle.end(ada)
    }

    @Test func `a refused attempt does not extend the wait`() async throws {
        let throttle = throttle(perPair: 1)
        _ = try await throttle.admit(attempt("ada"))
        clock.advance(by: .seconds(59))
        await #expect(throws: APIFailure.self) { try await throttle.admit(attempt("ada")) }
        clock.advance(by: .seconds(1))
        _ = try await throttle.admit(attempt("ada"))
    }

    @Test func `an attempt that was not checked, or that succeeded, does not count`() async throws {
        let throttle = throttle(perNetwork: 1, perAccount: 1)
        let withdrawn = try await throttle.admit(attempt("ada"))
        try await throttle.withdraw(attempt("ada"), at: withdrawn)
        let forgiven = try await throttle.admit(attempt("ada"))
        try await throttle.forgive(attempt("ada"), at: forgiven)
        #expect(await throttle.keyCount == 0)
    }
}
