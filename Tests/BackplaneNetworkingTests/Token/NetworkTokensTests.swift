import Foundation
import TestSupport
import Testing

@testable import BackplaneNetworking

struct NetworkTokensTests {
    private static let response = #"{"access_token":"a","token_type":"Bearer","refresh_token":"r","expires_in":900}"#

    @Test(
        arguments: [
            response, #"{"accessToken":"a","refreshToken":"r","expiresIn":900}"#,
            #"{"access_token":"a","refresh_token":"r","expires_in":"900"}"#,
        ]
    )
    func `a token response decodes, in either case, the time as a number or a string`(json: String) throws {
        let before = Date()
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: Data(json.utf8))
        #expect(tokens.access.rawValue == "a")
        #expect(tokens.refresh?.rawValue == "r")
        #expect(tokens.expiresIn == .seconds(900))
        #expect((before...Date()).contains(tokens.receivedAt))
    }

    @Test func `a token response decodes whatever the decoder does to keys`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let tokens = try decoder.decode(NetworkTokens.self, from: Data(Self.response.utf8))
        #expect(tokens.refresh?.rawValue == "r")
    }

    @Test(.rule("N10")) func `a calendar that was set back does not make tokens younger than new`() {
        let now = Date()
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: "a"),
            expiresIn: .seconds(900),
            receivedAt: now.addingTimeInterval(3600)
        )
        #expect(tokens.remainingLifetime(at: now) == .seconds(900))
    }

    @Test func `all but the access token may be missing`() throws {
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: Data(#"{"access_token":"a"}"#.utf8))
        #expect(tokens.refresh == nil)
        #expect(tokens.expiresIn == nil)
    }

    @Test func `what a vault writes it reads again`() throws {
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: "a"),
            refresh: RefreshToken(rawValue: "r"),
            expiresIn: .milliseconds(1500),
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
        let decoded = try JSONDecoder().decode(NetworkTokens.self, from: JSONEncoder().encode(tokens))
        #expect(decoded == tokens)
    }
}
