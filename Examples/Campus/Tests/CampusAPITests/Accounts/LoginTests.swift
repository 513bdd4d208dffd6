import CampusAPI
import CampusModels
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoginTests {
    @Test func `a user who signs in gets their own tokens`() async throws {
        try await withAPI { api in
            for (login, name) in [(DemoUsers.ada, "Ada Lovelace"), (DemoUsers.grace, "Grace Hopper")] {
                let answer = try await api.post("/login", login)
                #expect(answer.status == 200)
                #expect(answer.header("Cache-Control") == ["no-store"])
                let tokens: TokensResponse = try answer.decoded()
                #expect(tokens.expiresIn == 300)
                let user: User = try await api.get("/me", token: tokens.accessToken).decoded()
                #expect(user.name == name)
                #expect(user.email == login.email)
            }
        }
    }

    @Test func `an e-mail address is case-insensitive`() async throws {
        try await withAPI { api in
            let login = LoginRequest(email: "Ada@Campus.Example", password: DemoUsers.ada.password)
            let answer = try await api.post("/login", login)
            #expect(answer.status == 200)
        }
    }

    @Test func `a wrong password and an unknown user get the same response`() async throws {
        try await withAPI { api in
            let wrong = try await api.post("/login", LoginRequest(email: DemoUsers.ada.email, password: "wrong"))
            let unknown = try await api.post("/login", LoginRequest(email: "nobody@campus.example", password: ""))
            #expect(wrong.status == 401)
            #expect(try wrong.error.code == .invalidCredentials)
            #expect(wrong.header("WWW-Authenticate") == [#"Bearer realm="campus""#])
            #expect(unknown.status == wrong.status)
            #expect(unknown.body == wrong.body)
            #expect(unknown.header("WWW-Authenticate") == wrong.header("WWW-Authenticate"))
        }
    }

    @Test func `too many attempts are refused, even with the right password, until the first expires`() async throws {
        let time = TestTime()
        try await withAPI { configuration in
            time.drive(&configuration)
            configuration.loginAttempts = 3
            configuration.loginWindow = .seconds(60)
        } _: { api in
            let wrong = LoginRequest(email: DemoUsers.ada.email, password: "wrong")
            for _ in 1...3 {
                #expect(try await api.post("/login", wrong).status == 401)
                time.advance(by: .milliseconds(500))
            }
            let refused = try await api.post("/login", DemoUsers.ada)
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == ["59"])
            #expect(try refused.error.code == .tooManyAttempts)

            time.advance(by: .seconds(59))
            #expect(try await api.post("/login", DemoUsers.ada).status == 200)
        }
    }

    @Test func `attempts count separately for each user, regardless of case`() async throws {
        try await withAPI {
            $0.loginAttempts = 1
        } _: { api in
            let failed = try await api.post("/login", LoginRequest(email: "ADA@campus.example", password: ""))
            #expect(failed.status == 401)
            #expect(try await api.post("/login", DemoUsers.ada).status == 429)
            #expect(try await api.post("/login", DemoUsers.grace).status == 200)
        }
    }

    @Test func `a successful sign-in resets the failed attempts`() async throws {
        try await withAPI {
            $0.loginAttempts = 2
        } _: { api in
            let wrong = LoginRequest(email: DemoUsers.ada.email, password: "wrong")
            for _ in 1...3 {
                let failed = try await api.post("/login", wrong)
                #expect(failed.status == 401)
                #expect(try await api.post("/login", DemoUsers.ada).status == 200)
            }
        }
    }
}
