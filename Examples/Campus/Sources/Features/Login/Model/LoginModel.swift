public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// The login form.
@Observable
public final class LoginModel: Screen {
    /// The start page, because the form is shown instead of a page.
    public let path = "/"
    /// The address of the last log-in.
    public private(set) var email = ""
    /// The reason why the user has to log in again; `nil` if there is none.
    public private(set) var notice: String?
    private let performer: ActionPerformer
    private let performLogIn: (LoginRequest) async throws -> Void

    /// Creates an empty form.
    ///
    /// - Parameters:
    ///   - notice: the reason why the user has to log in again; `nil` if there is none.
    ///   - performer: runs the log-ins.
    ///   - logIn: logs in with the contents of the form, and closes it.
    public init(
        notice: String?,
        performer: ActionPerformer,
        logIn: @escaping (LoginRequest) async throws -> Void
    ) {
        self.notice = notice
        self.performer = performer
        performLogIn = logIn
    }

    /// Whether a log-in is running; meanwhile another one is ignored.
    public var isBusy: Bool { performer.isPerforming }

    /// The reason why the last log-in failed, as a text for the user; `nil` if it has not failed.
    public var problem: String? {
        performer.error.map { DisplayError.message(of: $0, else: "Logging in did not work. Try again.") }
    }

    /// Logs in, unless a log-in is running.
    public func logIn(email: String, password: String) {
        guard !isBusy else { return }
        self.email = email
        notice = nil
        performer.perform { try await self.performLogIn(LoginRequest(email: email, password: password)) }
    }
}
