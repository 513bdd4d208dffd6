import CatalogInterface
public import LoginModels
import Screens
public import WebHost

/// The login form in a browser.
public struct LoginWebFace: WebFace {
    struct Form: Sendable {
        let email: String
        let asksForEmail: Bool
        let notice: String?
        let problem: String?
        let isBusy: Bool
        let shop: String
    }

    /// The template of the form.
    public let templates = ["login": WebTemplate(PackageResources.login_mustache)]

    /// Creates the face.
    public init() {}

    /// The title of the form.
    public func title(of login: LoginModel) -> String { login.title }

    /// One section with the form.
    public func sections(of login: LoginModel) -> [Section] {
        [
            Section(id: "login", template: "login") {
                Form(
                    email: login.email,
                    asksForEmail: login.asksForEmail,
                    notice: login.notice,
                    problem: login.problem,
                    isBusy: login.isBusy,
                    shop: Catalog.path
                )
            }
        ]
    }
}
