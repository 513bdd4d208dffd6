import CampusAPI
import CampusModels
import Testing

/// Attacks with characters that cut texts or make them look different from what they are.
@Suite(.timeLimit(.minutes(5)))
struct ControlCharacterTests {
    private func send(_ text: String, to api: APIClient) async throws -> APIClient.Answer {
        let token = try await api.signIn(DemoUsers.ada).accessToken
        return try await api.post("/messages", NewMessage(recipients: ["tutor-babbage"], text: text), token: token)
    }

    @Test(arguments: ["\u{0}", "\u{8}", "\u{B}", "\r", "\u{1B}", "\u{7F}", "\u{85}", "\u{9F}", "\u{202A}", "\u{202E}"])
    func `a message with a control character is refused`(character: String) async throws {
        try await withAPI { api in
            let answer = try await send("before\(character)after", to: api)
            #expect(answer.status == 422)
            #expect(
                try answer.error
                    == APIError(code: .invalidContent, message: "'text' has a control character; remove it.")
            )
        }
    }

    @Test func `a message may have lines, tabs and isolated right-to-left text`() async throws {
        try await withAPI { api in
            let answer = try await send("one\r\ntwo\n\tthree \u{2067}\u{5D0}\u{2069}", to: api)
            #expect(answer.status == 201)
            let message: Message = try answer.decoded()
            #expect(
                Array(message.text.unicodeScalars) == Array("one\ntwo\n\tthree \u{2067}\u{5D0}\u{2069}".unicodeScalars)
            )
        }
    }

    @Test func `an idempotency key with a control character is refused`() async throws {
        try await withAPI { api in
            let token = try await api.signIn(DemoUsers.ada).accessToken
            let answer = try await api.post("/purchases", NewPurchase(product: "cards"), token: token, key: "k\u{85}")
            #expect(answer.status == 400)
            #expect(try await api.get("/purchases", token: token).decoded(as: [Purchase].self).isEmpty)
        }
    }

    @Test func `a refresh token with a control character is refused`() async throws {
        try await withAPI { api async throws in
            #expect(try await api.refresh("token\u{0}").status == 422)
        }
    }
}
