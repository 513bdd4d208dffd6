import CampusModels
import Observation
import Screens

/// The board of the login form.
protocol LoginDelegate: AnyObject {
    /// Logs in with the contents of the form.
    func logIn(with request: LoginRequest)
}

/// The login form.
@Observable
final class LoginScreen: Screen {
    struct Model: Sendable {
        let email: String
        let notice: String?
        let problem: String?
    }

    let title = "Log in"
    let path = "/"
    private(set) var isBusy = false
    private var email = ""
    private var notice: String?
    private var problem: String?
    @ObservationIgnored private weak var delegate: (any LoginDelegate)?

    init(notice: String?, delegate: any LoginDelegate) {
        self.notice = notice
        self.delegate = delegate
    }

    var sections: [Section] {
        [
            Section(id: "login", template: "login") {
                Model(email: self.email, notice: self.notice, problem: self.problem)
            }
        ]
    }

    func handle(_ event: ScreenEvent) {
        guard event.name == "log-in", !isBusy else { return }
        email = event["email"] ?? ""
        notice = nil
        isBusy = true
        delegate?.logIn(with: LoginRequest(email: email, password: event["password"] ?? ""))
    }

    func show(_ error: any Error) {
        problem = (error as? DisplayError)?.message ?? "Logging in did not work. Try again."
        isBusy = false
    }
}
