import Foundation
import Testing

@testable import CampusAPI

struct LoginThrottleTests {
    @Test func `The same user from another address is counted apart`() async throws {
        let throttle = LoginThrottle(attempts: 1, window: .seconds(60), now: { Date(timeIntervalSince1970: 0) })
        try await throttle.admit(.init(email: "ada", address: "192.0.2.1"))
        try await throttle.admit(.init(email: "ada", address: "192.0.2.2"))
        await #expect(throws: APIFailure.self) {
            try await throttle.admit(.init(email: "ada", address: "192.0.2.1"))
        }
    }

    @Test func `Who stopped trying is forgotten, so that guessing addresses does not fill the memory`() async throws {
        let time = TestTime()
        let throttle = LoginThrottle(attempts: 1, window: .seconds(60), now: { time.now })
        for number in 1...LoginThrottle.sweepThreshold {
            try await throttle.admit(.init(email: "\(number)", address: "192.0.2.1"))
        }
        time.advance(by: .seconds(60))
        try await throttle.admit(.init(email: "ada", address: "192.0.2.1"))
        #expect(await throttle.recent.keys.map(\.email) == ["ada"])
    }

    @Test func `A refused attempt does not make the wait longer`() async throws {
        let time = TestTime()
        let throttle = LoginThrottle(attempts: 1, window: .seconds(60), now: { time.now })
        let key = LoginThrottle.Key(email: "ada", address: "192.0.2.1")
        try await throttle.admit(key)
        time.advance(by: .seconds(59))
        await #expect(throws: APIFailure.self) { try await throttle.admit(key) }
        time.advance(by: .seconds(1))
        try await throttle.admit(key)
    }
}
