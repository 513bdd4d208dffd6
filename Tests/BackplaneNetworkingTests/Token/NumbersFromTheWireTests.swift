import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

@Suite(.rule("N16"))
struct NumbersFromTheWireTests {
    private static let century = Duration.seconds(100 * 365 * 86_400)

    @Test(arguments: ["1e300", "1e21", "9223372036854775807", #""1e300""#, #""inf""#, #""infinity""#, "3153600001"])
    func `the lifetime of a token is at most a century`(seconds: String) throws {
        let json = Data(#"{"access_token":"a","refresh_token":"r","expires_in":\#(seconds)}"#.utf8)
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: json)
        #expect(tokens.expiresIn == Self.century)
        _ = TokenSessionStateMachine<Int>(tokens: tokens, lifetime: tokens.remainingLifetime(at: .distantFuture))
        #expect(try JSONDecoder().decode(NetworkTokens.self, from: JSONEncoder().encode(tokens)) == tokens)
    }

    @Test(arguments: ["-1e300", #""-inf""#, "-3153600001"])
    func `the lifetime of a token that expired long ago is limited to a negative century`(seconds: String) throws {
        let json = Data(#"{"access_token":"a","expires_in":\#(seconds)}"#.utf8)
        #expect(try JSONDecoder().decode(NetworkTokens.self, from: json).expiresIn == .zero - Self.century)
    }

    @Test(arguments: [#""nan""#, #""soon""#, "true", "[]", "{}"])
    func `a token lifetime that is not a number throws a decoding error`(seconds: String) {
        let json = Data(#"{"access_token":"a","expires_in":\#(seconds)}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(NetworkTokens.self, from: json) }
    }

    @Test(arguments: ["1e300", "-1e300"])
    func `tokens with any date of receipt have at most their full lifetime`(date: String) throws {
        let json = Data(#"{"access_token":"a","expires_in":60,"received_at":\#(date)}"#.utf8)
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: json)
        let lifetime = try #require(tokens.remainingLifetime(at: Date()))
        #expect(lifetime <= .seconds(60))
    }

    @Test(arguments: [
        ("99999999999999999999999999", century), ("9223372036854775807", century), ("120", .seconds(120)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", century),
    ])
    func `the delay of a Retry-After field is at most a century`(value: String, wait: Duration) {
        var response = HTTPResponse(status: 503)
        response.headerFields[.retryAfter] = value
        #expect(response.retryAfter == wait)
    }
}
