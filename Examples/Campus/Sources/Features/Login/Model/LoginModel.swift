public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// The login form, or the form that asks a signed-in user for the password again.
@Observable
public final class LoginModel: EventScreen {
    /// The start page, because the form is shown instead of a page.
    public let path = "/"
    /// The address of the last sign-in.
    public private(set) var email = ""
    /// The reason why the user has to sign in, or to type the password again; `nil` if there is
    /// none.
    public private(set) var notice: String?
    private let performer: ActionPerformer
    private let onCancel: (() -> Void)?
    private let performSignIn: (LoginRequest) async throws -> Void

    /// Creates an empty form.
    ///
    /// - Parameters:
    ///   - notice: the reason why the form is shown; `nil` if there is none.
    ///   - onCancel: closes the form without an answer, if a user is signed in.
    ///   - performer: runs the sign-ins.
    ///   - signIn: signs in with the contents of the form, and closes it.
    public init(
        notice: String?,
        onCancel: (() -> Void)? = nil,
        performer: ActionPerformer,
        signIn: @escaping (LoginRequest) async throws -> Void
    ) {
        self.notice = notice
        self.onCancel = onCancel
        self.performer = performer
        performSignIn = signIn
    }

    /// Whether the form asks for an address, too, because nobody is signed in; otherwise the user
    /// can cancel it.
    public var asksForEmail: Bool { onCancel == nil }

    /// The title of the form.
    public var title: String { asksForEmail ? "Sign in" : "Your password, please" }

    /// Whether a sign-in is running; meanwhile another one is ignored.
    public var isBusy: Bool { performer.isPerforming }

    /// The reason why the last sign-in failed, as a text for the user; `nil` if it has not failed.
    public var problem: String? {
        performer.error.map { DisplayError.message(of: $0, else: "Signing in did not work. Try again.") }
    }

    /// Signs in, unless a sign-in is running.
    public func signIn(email: String, password: String) {
        guard !isBusy else { return }
        self.email = email
        if asksForEmail { notice = nil }
        performer.perform { try await self.performSignIn(LoginRequest(email: email, password: password)) }
    }

    /// Closes the form without an answer, if a user is signed in.
    public func cancel() {
        onCancel?()
    }
}

extension LoginModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Signs in with the fields `email` and `password`; without an address if a user is signed
        /// in.
        case signIn = "sign-in"
        /// Closes the form of a signed-in user.
        case cancel
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .signIn: signIn(email: fields["email"] ?? "", password: fields["password"] ?? "")
        case .cancel: cancel()
        }
    }
}
