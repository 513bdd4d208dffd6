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
    func `a token response decodes in both key styles, with the lifetime as a number or a string`(json: String) throws {
        let before = Date()
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: Data(json.utf8))
        #expect(tokens.access.rawValue == "a")
        #expect(tokens.refresh?.rawValue == "r")
        #expect(tokens.expiresIn == .seconds(900))
        #expect((before...Date()).contains(tokens.receivedAt))
    }

    @Test func `a token response decodes with any key strategy of the decoder`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let tokens = try decoder.decode(NetworkTokens.self, from: Data(Self.response.utf8))
        #expect(tokens.refresh?.rawValue == "r")
    }

    @Test(.rule("N10")) func `a calendar that was set back does not extend the lifetime of tokens`() {
        let now = Date()
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: "a"),
            expiresIn: .seconds(900),
            receivedAt: now.addingTimeInterval(3600)
        )
        #expect(tokens.remainingLifetime(at: now) == .seconds(900))
    }

    @Test func `every field except the access token is optional`() throws {
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: Data(#"{"access_token":"a"}"#.utf8))
        #expect(tokens.refresh == nil)
        #expect(tokens.expiresIn == nil)
    }

    @Test(
        .rule("N32"),
        arguments: [
            #""received_at":"2026-11-26T15:00:00Z""#, #""received_at":1700000000"#, #""received_at":null"#,
            #""history":["a"]"#, #""history":{"session":1}"#, #""received_at":1,"history":"none""#,
            #""received_at":1,"history":{"session":"a"}"#, #""scope":{"a":[1]}"#, #""id_token":7"#,
        ]
    )
    func `all unknown members of a token response are ignored`(member: String) throws {
        let before = Date()
        let json = #"{"access_token":"a","expires_in":900,\#(member)}"#
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: Data(json.utf8))
        #expect(tokens.access.rawValue == "a")
        #expect(tokens.history == nil)
        #expect((before...Date()).contains(tokens.receivedAt))
    }

    @Test(.rule("N32"), arguments: [["access_token", "refresh_token"], ["accessToken", "refreshToken"]])
    func `an empty token counts as no token`(names: [String]) throws {
        let json = #"{"\#(names[0])":"a","\#(names[1])":""}"#
        let tokens = try JSONDecoder().decode(NetworkTokens.self, from: Data(json.utf8))
        #expect(tokens.refresh == nil)
        let empty = Data(#"{"\#(names[0])":"","\#(names[1])":"r"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(NetworkTokens.self, from: empty) }
    }

    @Test func `encoded tokens decode to the same tokens`() throws {
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
