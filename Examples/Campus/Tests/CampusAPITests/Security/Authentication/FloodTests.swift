import BackplaneTesting
import CampusModels
import Testing

@testable import CampusAPI

/// Attacks that keep the server busy with checking passwords.
@Suite(.timeLimit(.minutes(5)))
struct FloodTests {
    /// Runs checks in the order of `attempts`, all of which wait for the first one, and returns the
    /// networks in the order of their checks.
    private func order(of attempts: [LoginThrottle.Attempt]) async throws -> [String] {
        let latch = AsyncLatch()
        let (checks, check) = AsyncStream<String>.makeStream()
        let (lengths, length) = AsyncStream<Int>.makeStream()
        let verifier = try PasswordVerifier(
            cost: PasswordCost(logRounds: 4),
            limits: PasswordVerifier.Limits(width: 1),
            check: { password, _ in
                check.yield(password)
                await latch.wait()
                return false
            },
            report: { length.yield($0) }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            var isWaiting = lengths.makeAsyncIterator()
            for (number, attempt) in attempts.enumerated() {
                group.addTask { _ = try await verifier.verify(attempt.network, against: nil, for: attempt) }
                if number == 0 { await latch.arrivals(atLeast: 1) } else { _ = await isWaiting.next() }
            }
            latch.open()
            try await group.waitForAll()
        }
        check.finish()
        return await checks.reduce(into: []) { $0.append($1) }
    }

    private func attempt(from network: String, isKnown: Bool = false) throws -> LoginThrottle.Attempt {
        LoginThrottle.Attempt(email: try EmailAddress("ada"), network: network, isKnown: isKnown)
    }

    @Test func `during a flood from one network, a user in another network waits for one check only`() async throws {
        let flood = try attempt(from: "flood")
        let order = try await order(of: [flood, flood, flood, flood, attempt(from: "other")])
        #expect(order == ["flood", "flood", "other", "flood", "flood"])
    }

    @Test func `in a network where a user has signed in before, the user is served before strangers`() async throws {
        let strangers = try ["1", "2", "3"].map { try attempt(from: $0) }
        let order = try await order(of: strangers + [attempt(from: "home", isKnown: true)])
        #expect(order == ["1", "home", "2", "3"])
    }

    @Test func `a flood from one network is refused at once, and another network is served`() async throws {
        let latch = AsyncLatch()
        try await withAPI {
            $0.appKey = testAppKey
            $0.passwordLimits = PasswordVerifier.Limits(width: 1, waiting: 4, share: 2)
            $0.checkPassword = { password, hash in
                await latch.wait()
                return try hash.matches(password)
            }
        } _: { api in
            try await withThrowingTaskGroup(of: APIClient.Answer.self) { group in
                for number in 1...20 {
                    let guess = LoginRequest(email: "\(number)@campus.example", password: "wrong")
                    group.addTask { try await api.signIn(guess, from: "198.51.100.1") }
                }
                // One is being checked, and two wait.
                for _ in 1...17 {
                    let refused = try #require(try await group.next())
                    #expect(refused.status == 429)
                    #expect(refused.header("Retry-After") == ["1"])
                }
                async let owner = api.signIn(DemoUsers.ada, from: "192.0.2.1")
                latch.open()
                #expect(try await owner.status == 200)
                while let checked = try await group.next() { #expect(checked.status == 401) }
            }
        }
    }

    @Test func `a flood can cause a refusal, which does not count as an attempt`() async throws {
        let latch = AsyncLatch()
        try await withAPI {
            $0.loginAttempts = 1
            $0.passwordLimits = PasswordVerifier.Limits(width: 1, waiting: 0, share: 0)
            $0.checkPassword = { password, hash in
                await latch.wait()
                return try hash.matches(password)
            }
        } _: { api async throws in
            async let first = api.post("/login", DemoUsers.grace)
            await latch.arrivals(atLeast: 1)
            for _ in 1...3 { #expect(try await api.post("/login", DemoUsers.ada).header("Retry-After") == ["1"]) }
            latch.open()
            #expect(try await first.status == 200)
            #expect(try await api.post("/login", DemoUsers.ada).status == 200)
        }
    }
}
