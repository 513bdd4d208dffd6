public import LoginModels
public import Screens
public import WebHost

/// The login form in a browser.
public struct LoginWebFace: WebFace {
    /// The events of the form.
    public enum Event: String, CaseIterable {
        case logIn = "log-in"
    }

    struct Form: Sendable {
        let email: String
        let notice: String?
        let problem: String?
        let isBusy: Bool
    }

    /// The template of the form.
    public let templates = ["login": WebTemplate(PackageResources.login_mustache)]

    /// Creates the face.
    public init() {}

    /// The title of the form.
    public func title(of login: LoginModel) -> String { "Log in" }

    /// One section with the form.
    public func sections(of login: LoginModel) -> [Section] {
        [
            Section(id: "login", template: "login") {
                Form(
                    email: login.email,
                    notice: login.notice,
                    problem: login.problem,
                    isBusy: login.isBusy
                )
            }
        ]
    }

    /// Logs in with the contents of the form.
    public func handle(_ event: Event, _ form: EventFields, on login: LoginModel) {
        switch event {
        case .logIn: login.logIn(email: form["email"] ?? "", password: form["password"] ?? "")
        }
    }
}
