import Foundation
import Testing

@testable import CampusAPI

struct LoginThrottleTests {
    @Test func `attempts from another address count separately`() async throws {
        let throttle = LoginThrottle(attempts: 1, window: .seconds(60), now: { Date(timeIntervalSince1970: 0) })
        try await throttle.admit(.init(email: "ada", address: "192.0.2.1"))
        try await throttle.admit(.init(email: "ada", address: "192.0.2.2"))
        await #expect(throws: APIFailure.self) {
            try await throttle.admit(.init(email: "ada", address: "192.0.2.1"))
        }
    }

    @Test func `old attempts are removed, so guessed addresses do not fill the memory`() async throws {
        let time = TestTime()
        let throttle = LoginThrottle(attempts: 1, window: .seconds(60), now: { time.now })
        for number in 1...LoginThrottle.sweepThreshold {
            try await throttle.admit(.init(email: "\(number)", address: "192.0.2.1"))
        }
        time.advance(by: .seconds(60))
        try await throttle.admit(.init(email: "ada", address: "192.0.2.1"))
        #expect(await throttle.recent.keys.map(\.email) == ["ada"])
    }

    @Test func `a refused attempt does not extend the wait`() async throws {
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
