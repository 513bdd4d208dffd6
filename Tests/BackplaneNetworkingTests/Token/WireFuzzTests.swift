import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

/// Tests that no response of a hostile server and no modified file causes a trap.
///
/// `BACKPLANE_WIRE=1000000` runs more inputs.
@Suite(.rule("N16"))
struct WireFuzzTests {
    private let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_WIRE")

    @Test func `no token response causes a trap, and decoded tokens can be used and encoded`() async throws {
        let shape: KeyValuePairs = [
            "access_token": [#""a""#], "accessToken": [#""a""#], "refresh_token": [#""r""#, "null"],
            "refreshToken": [#""r""#], "expires_in": ["900", #""900""#], "expiresIn": ["900"],
            "received_at": ["0", "1e9"],
            "history": [#"{"session":"a","generation":1,"isBeingRefreshed":true}"#],
        ]
        var texts = HostileJSON(shape, seed: run.seed)
        var generator = SeededGenerator(seed: run.seed)
        var read = 0
        for _ in 0..<run.count {
            await run.letOthersRun()
            guard let tokens = try? JSONDecoder().decode(NetworkTokens.self, from: Data(texts.next().utf8)) else {
                continue
            }
            read += 1
            let date = [Date(), .distantPast, .distantFuture].randomElement(using: &generator) ?? Date()
            let lifetime = tokens.remainingLifetime(at: date)
            var state = TokenSessionStateMachine<Int>(tokens: tokens, lifetime: lifetime)
            _ = try? state.credential(for: 0, now: .seconds(1_000_000_000))
            if case .waiting(let refresh?) = state.addWaiter(1, as: 1, epoch: 0, now: .zero) {
                _ = state.commit(
                    tokens.succeeding(tokens),
                    lifetime: tokens.expiresIn,
                    from: .zero,
                    by: refresh,
                    now: .zero
                )
            }
            let written = try JSONEncoder().encode(tokens)
            #expect(try JSONDecoder().decode(NetworkTokens.self, from: written) == tokens, "\(run)")
        }
        #expect(read > run.count / 20, "Too few inputs decode as tokens to prove anything, \(run).")
    }

    @Test func `no Retry-After or Date field causes a trap`() async {
        let parts = [
            "Sun", ",", " ", "06", "Nov", "1994", "08:49:37", "GMT", "-", "Sunday", "94", "6", ":", "99", "-1", "+1",
            "0",
            "9223372036854775807", "1e5", "nan", "120", "é", "60", "24:00:00", "23:59:60", "Feb", "31", "0000", "9999",
        ]
        var generator = SeededGenerator(seed: run.seed)
        var response = HTTPResponse(status: 503)
        for _ in 0..<run.count {
            await run.letOthersRun()
            func header() -> String {
                let form = [
                    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                ]
                var words = (form.randomElement(using: &generator) ?? "").split(separator: " ").map(String.init)
                for index in words.indices where generator.chance(20) {
                    words[index] = parts.randomElement(using: &generator) ?? ""
                }
                return words.joined(separator: generator.chance(90) ? " " : "")
            }
            response.headerFields[.retryAfter] =
                generator.chance(20) ? parts.randomElement(using: &generator) : header()
            response.headerFields[.date] = header()
            if let wait = response.retryAfter {
                #expect(wait >= .zero && wait <= .seconds(100 * 365 * 86_400), "\(run)")
                _ = ContinuousClock.now.advanced(by: wait)
            }
        }
    }
    @Test func `no error response causes a trap or a leak, and the pause after a failed refresh is bounded`() async {
        let shape: KeyValuePairs = [
            "error": [#""invalid_grant""#, #""invalid_client""#, #""invalid_request""#],
            "error_description": [#""refresh-1""#],
            "retry_after": ["1e300", "-1"],
        ]
        var texts = HostileJSON(shape, seed: run.seed)
        var generator = SeededGenerator(seed: run.seed)
        var final = 0
        for _ in 0..<run.count {
            await run.letOthersRun()
            let status = HTTPResponse.Status(code: Int.random(in: 0...999, using: &generator))
            var response = HTTPResponse(status: generator.chance(50) ? .badRequest : status)
            response.headerFields[.retryAfter] = generator.chance(50) ? "9223372036854775807" : "-1"
            let error = NetworkError.refused(response, body: Data(texts.next().utf8), cause: nil)
            #expect(
                !"\(error) \(error.localizedDescription) \(String(reflecting: error))".contains("refresh-1"),
                "\(run)"
            )
            if RefreshFailure.isFinal(error) { final += 1 }
            let pause = RefreshFailure.pause(after: error, failures: .random(in: 1...Int.max, using: &generator))
            #expect(pause >= .zero && pause <= .seconds(3660), "\(run)")
        }
        #expect(final > run.count / 20, "Too few errors end a session to prove anything, \(run).")
    }
}
