import BackplaneTesting
import CampusAPI
import CampusModels
import Foundation
import Testing

/// Attacks that guess passwords from many places, or that keep users from signing in.
@Suite(.timeLimit(.minutes(5)))
struct LockoutTests {
    private let owner = "192.0.2.1"

    private func wrong(_ email: String = DemoUsers.ada.email) -> LoginRequest {
        LoginRequest(email: email, password: "wrong")
    }

    @Test func `wrong guesses from other networks do not lock out a user in a known network`() async throws {
        try await withAPI {
            $0.appKey = testAppKey
            $0.loginAttempts = 2
            $0.accountLoginAttempts = 4
        } _: { api in
            #expect(try await api.signIn(DemoUsers.ada, from: owner).status == 200)
            for number in 1...4 {
                #expect(try await api.signIn(wrong(), from: "198.51.100.\(number)").status == 401)
            }
            let distributed = try await api.signIn(wrong(), from: "198.51.100.5")
            #expect(distributed.status == 429, "the guesses of all strangers have a limit together")
            #expect(try await api.signIn(DemoUsers.ada, from: "203.0.113.1").status == 429, "a new place waits")
            #expect(try await api.signIn(DemoUsers.ada, from: owner).status == 200)
        }
    }

    @Test func `the networks of a user are kept after the server ends`() async throws {
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            configuration.appKey = testAppKey
            configuration.accountLoginAttempts = 1
            try await withAPI(configuration) { api async throws in
                #expect(try await api.signIn(DemoUsers.ada, from: owner).status == 200)
            }
            try await withAPI(configuration) { api async throws in
                #expect(try await api.signIn(wrong(), from: "198.51.100.1").status == 401)
                #expect(try await api.signIn(wrong(), from: "198.51.100.2").status == 429)
                #expect(try await api.signIn(DemoUsers.ada, from: owner).status == 200)
            }
        }
    }

    @Test func `guesses for many users from one network are limited together`() async throws {
        try await withAPI {
            $0.appKey = testAppKey
            $0.networkLoginAttempts = 3
        } _: { api async throws in
            for number in 1...3 {
                #expect(try await api.signIn(wrong("\(number)@campus.example"), from: "198.51.100.1").status == 401)
            }
            #expect(try await api.signIn(wrong("4@campus.example"), from: "198.51.100.1").status == 429)
            #expect(try await api.signIn(wrong("4@campus.example"), from: "198.51.100.2").status == 401)
        }
    }

    @Test func `an address in the same IPv6 network is the same client`() async throws {
        try await withAPI {
            $0.appKey = testAppKey
            $0.loginAttempts = 1
        } _: { api async throws in
            #expect(try await api.signIn(wrong(), from: "2001:db8:0:1::1").status == 401)
            #expect(try await api.signIn(wrong(), from: "2001:db8:0:1:ffff::2").status == 429)
            #expect(try await api.signIn(wrong(), from: "2001:db8:0:2::1").status == 401)
        }
    }

    @Test func `an address in a header counts only with the key of the app`() async throws {
        try await withAPI {
            $0.appKey = testAppKey
            $0.loginAttempts = 1
        } _: { api async throws in
            let key = AppKey.random()
            #expect(try await api.signIn(wrong(), from: "198.51.100.1", key: key).status == 401)
            #expect(try await api.signIn(wrong(), from: "198.51.100.2", key: key).status == 429)
        }
    }

    @Test func `without a key, the address in a header never counts`() async throws {
        try await withAPI {
            $0.loginAttempts = 1
        } _: { api async throws in
            #expect(try await api.signIn(wrong(), from: "198.51.100.1").status == 401)
            #expect(try await api.signIn(wrong(), from: "198.51.100.2").status == 429)
        }
    }

    @Test func `a header without a valid address does not hide the client`() async throws {
        try await withAPI {
            $0.appKey = testAppKey
            $0.loginAttempts = 1
        } _: { api async throws in
            #expect(try await api.signIn(wrong(), from: "somewhere").status == 401)
            #expect(try await api.signIn(wrong(), from: "elsewhere").status == 429)
        }
    }

    @Test func `if the clock is set back, the wait does not become longer`() async throws {
        let clock = ManualClock()
        try await withAPI { configuration in
            configuration.clock = clock
            // The date goes back as the clock goes on.
            configuration.now = { Date(timeIntervalSince1970: 1_000_000_000 - clock.now.offset / .seconds(1)) }
            configuration.loginAttempts = 1
        } _: { api async throws in
            #expect(try await api.post("/login", wrong()).status == 401)
            clock.advance(by: .seconds(59))
            #expect(try await api.post("/login", wrong()).header("Retry-After") == ["1"])
            clock.advance(by: .seconds(1))
            #expect(try await api.post("/login", DemoUsers.ada).status == 200)
        }
    }
}
