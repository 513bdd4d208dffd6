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

        func logIn(with request: LoginRequest) throws {
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
            logIn: { request in try server.logIn(with: request) }
        )
    }

    private func settle(_ login: LoginModel) async {
        while login.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a log-in passes the contents of the form on, and makes the form busy`() async {
        let login = makeLogin(notice: "Log in again.")
        #expect(login.notice == "Log in again.")
        login.logIn(email: "ada@campus.example", password: "secret")
        #expect(login.isBusy)
        #expect(login.notice == nil)
        await settle(login)
        #expect(server.requests.map(\.email) == ["ada@campus.example"])
        #expect(server.requests.map(\.password) == ["secret"])
    }

    @Test func `a second log-in is ignored while the first one runs`() async {
        let login = makeLogin()
        login.logIn(email: "ada@campus.example", password: "secret")
        login.logIn(email: "grace@campus.example", password: "secret")
        await settle(login)
        #expect(server.requests.count == 1)
        #expect(login.email == "ada@campus.example")
    }

    @Test func `after a failure the form keeps the address and can be sent again`() async {
        let login = makeLogin()
        server.error = DisplayError("Wrong password.")
        login.logIn(email: "ada@campus.example", password: "wrong")
        await settle(login)
        #expect(login.email == "ada@campus.example")
        #expect(login.problem == "Wrong password.")
        server.error = Silent()
        login.logIn(email: "ada@campus.example", password: "right")
        await settle(login)
        #expect(server.requests.count == 2)
        #expect(login.problem == "Logging in did not work. Try again.", "the error has no message")
    }
}
