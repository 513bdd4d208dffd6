public import LoginModels
public import Screens
public import TerminalHost

/// The login form in a terminal.
public struct LoginTerminalFace: TerminalFace {
    /// The commands of the form.
    public enum Command: String, CaseIterable {
        /// Takes the arguments `email` and `password`; no address if a user is signed in.
        case signIn = "sign-in"
        /// Closes the form of a signed-in user.
        case cancel
    }

    /// Creates the face.
    public init() {}

    /// The title of the form.
    public func title(of login: LoginModel) -> String { login.title }

    /// The last address, and the reason why the user has to sign in.
    public func sections(of login: LoginModel) -> [TextSection] {
        let problem = login.problem.map { "problem: \($0)" }
        let lines = ["email: \(login.email)", login.notice.map { "notice: \($0)" }, problem]
        return [TextSection("login", lines.compactMap { $0 })]
    }

    /// Signs in with the arguments.
    public func handle(_ command: Command, _ arguments: EventFields, on login: LoginModel) {
        switch command {
        case .cancel: login.cancel()
        case .signIn: login.signIn(email: arguments["email"] ?? "", password: arguments["password"] ?? "")
        }
    }
}
