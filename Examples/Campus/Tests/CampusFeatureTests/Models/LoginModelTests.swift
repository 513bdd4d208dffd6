import BackplaneFeatures
import CampusModels
import LoginModels
import Screens
import Testing

/// The model of the login form, without a host.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LoginModelTests {
    private final class Server {
        var requests: [LoginRequest] = []
        var error: (any Error)?

        func signIn(with request: LoginRequest) throws {
            requests.append(request)
            if let error { throw error }
        }
    }

    private struct Silent: Error {}

    private let server = Server()

    private func makeLogin(notice: String? = nil) -> LoginModel {
        let server = server
        return LoginModel(
            notice: notice,
            performer: ActionPerformer { work in Task { try? await work() } },
            signIn: { request in try server.signIn(with: request) }
        )
    }

    private func settle(_ login: LoginModel) async {
        while login.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a sign-in passes the contents of the form on, and makes the form busy`() async {
        let login = makeLogin(notice: "Sign in again.")
        #expect(login.notice == "Sign in again.")
        login.signIn(email: "ada@campus.example", password: "secret")
        #expect(login.isBusy)
        #expect(login.notice == nil)
        await settle(login)
        #expect(server.requests.map(\.email) == ["ada@campus.example"])
        #expect(server.requests.map(\.password) == ["secret"])
    }

    @Test func `a second sign-in is ignored while the first one runs`() async {
        let login = makeLogin()
        login.signIn(email: "ada@campus.example", password: "secret")
        login.signIn(email: "grace@campus.example", password: "secret")
        await settle(login)
        #expect(server.requests.count == 1)
        #expect(login.email == "ada@campus.example")
    }

    @Test func `after a failure the form keeps the address and can be sent again`() async {
        let login = makeLogin()
        server.error = DisplayError("Wrong password.")
        login.signIn(email: "ada@campus.example", password: "wrong")
        await settle(login)
        #expect(login.email == "ada@campus.example")
        #expect(login.problem == "Wrong password.")
        server.error = Silent()
        login.signIn(email: "ada@campus.example", password: "right")
        await settle(login)
        #expect(server.requests.count == 2)
        #expect(login.problem == "Signing in did not work. Try again.", "the error has no message")
    }
}
