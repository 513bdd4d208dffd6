public import CampusModels
public import Observation
public import Screens

/// The board of the login form.
public protocol LoginDelegate: AnyObject {
    /// Logs in with the contents of the form.
    func logIn(with request: LoginRequest)
}

/// The login form.
@Observable
public final class LoginModel: Screen {
    /// The start page, because the form is shown instead of a page.
    public let path = "/"
    /// Whether a log-in is running; meanwhile another one is ignored.
    public private(set) var isBusy = false
    /// The address of the last log-in.
    public private(set) var email = ""
    /// The reason why the user has to log in again; `nil` if there is none.
    public private(set) var notice: String?
    /// The reason why the last log-in failed, as a text for the user; `nil` if it has not failed.
    public private(set) var problem: String?
    @ObservationIgnored private weak var delegate: (any LoginDelegate)?

    /// Creates an empty form.
    public init(notice: String?, delegate: any LoginDelegate) {
        self.notice = notice
        self.delegate = delegate
    }

    /// Logs in, unless a log-in is running.
    public func logIn(email: String, password: String) {
        guard !isBusy else { return }
        self.email = email
        notice = nil
        isBusy = true
        delegate?.logIn(with: LoginRequest(email: email, password: password))
    }

    /// Shows the error of the log-in.
    public func fail(with error: any Error) {
        problem = DisplayError.message(of: error, else: "Logging in did not work. Try again.")
        isBusy = false
    }
}
