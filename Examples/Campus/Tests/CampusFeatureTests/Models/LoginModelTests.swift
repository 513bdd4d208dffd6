import CampusModels
import LoginModels
import Screens
import Testing

/// The model of the login form, without a host.
@MainActor struct LoginModelTests {
    private final class Desk: LoginDelegate {
        var requests: [LoginRequest] = []

        func logIn(with request: LoginRequest) { requests.append(request) }
    }

    private let desk = Desk()

    @Test func `a log-in passes the contents of the form on, and makes the form busy`() {
        let login = LoginModel(notice: "Log in again.", delegate: desk)
        #expect(login.notice == "Log in again.")
        login.logIn(email: "ada@campus.example", password: "secret")
        #expect(desk.requests.map(\.email) == ["ada@campus.example"])
        #expect(desk.requests.map(\.password) == ["secret"])
        #expect(login.isBusy)
        #expect(login.notice == nil)
    }

    @Test func `a second log-in is ignored while the first one runs`() {
        let login = LoginModel(notice: nil, delegate: desk)
        login.logIn(email: "ada@campus.example", password: "secret")
        login.logIn(email: "grace@campus.example", password: "secret")
        #expect(desk.requests.count == 1)
        #expect(login.email == "ada@campus.example")
    }

    @Test func `after a failure the form keeps the address and can be sent again`() {
        let login = LoginModel(notice: nil, delegate: desk)
        login.logIn(email: "ada@campus.example", password: "wrong")
        login.fail(with: DisplayError("Wrong password."))
        #expect(!login.isBusy)
        #expect(login.email == "ada@campus.example")
        #expect(login.problem == "Wrong password.")
        login.logIn(email: "ada@campus.example", password: "right")
        #expect(desk.requests.count == 2)
        login.fail(with: CancellationError())
        #expect(login.problem == "Logging in did not work. Try again.", "the error has no message")
    }
}
