import CampusAPI
import CampusModels
import Testing

/// Attacks that give one account several names, and so several limits.
@Suite(.timeLimit(.minutes(5)))
struct NULBypassTests {
    @Test func `an e-mail address with a NUL does not name an account or avoid the limit`() async throws {
        try await withAPI { api in
            for number in 1...6 {
                let email = "\(DemoUsers.ada.email)\u{0}\(number)"
                let answer = try await api.post("/login", LoginRequest(email: email, password: DemoUsers.ada.password))
                #expect(answer.status == 422)
                #expect(
                    try answer.error
                        == APIError(code: .invalidContent, message: "'email' has a control character; remove it.")
                )
            }
        }
    }

    @Test(arguments: ["ADA@campus.example", " ada@campus.example ", "ada@CAMPUS.example\t"])
    func `another spelling of the e-mail address is the same account with the same limit`(email: String) async throws {
        try await withAPI {
            $0.loginAttempts = 2
        } _: { api async throws in
            let right = LoginRequest(email: email, password: DemoUsers.ada.password)
            #expect(try await api.post("/login", right).status == 200)
            for _ in 1...2 {
                #expect(try await api.post("/login", LoginRequest(email: email, password: "wrong")).status == 401)
            }
            #expect(try await api.post("/login", DemoUsers.ada).status == 429)
        }
    }

    @Test(arguments: ["\u{0}", "\u{1}", "\n", "\u{1B}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}"])
    func `a control character in a password is refused`(character: String) async throws {
        try await withAPI { api async throws in
            let login = LoginRequest(email: DemoUsers.ada.email, password: DemoUsers.ada.password + character)
            #expect(try await api.post("/login", login).status == 422)
        }
    }
}
