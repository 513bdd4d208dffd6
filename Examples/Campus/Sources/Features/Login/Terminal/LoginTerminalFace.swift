public import LoginModels
import Screens
public import TerminalHost

/// The login form in a terminal.
public struct LoginTerminalFace: TerminalFace {
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
}
