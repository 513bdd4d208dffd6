public import Backplane
public import CampusModels
import LoginInterface
public import Screens

/// The login feature.
public struct LoginModule: BoardModule {
    private let navigation: Navigation
    private let currentUser: () async -> User.ID?
    private let notice: () async -> String?
    private let logIn: (LoginRequest) async throws -> User.ID

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the form is shown.
    ///   - currentUser: who is logged in, if anybody.
    ///   - notice: why somebody who was logged in has to do so again, if that needs to be said above the form.
    ///   - logIn: logs a user in; what it throws is shown beside the form, in the words of a ``DisplayError`` if it is one.
    public init(
        navigation: Navigation,
        currentUser: @escaping () async -> User.ID?,
        notice: @escaping () async -> String? = { nil },
        logIn: @escaping (LoginRequest) async throws -> User.ID
    ) {
        self.navigation = navigation
        self.currentUser = currentUser
        self.notice = notice
        self.logIn = logIn
    }

    /// Registers the login board.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.login) { slot in
            LoginBoard(
                slot: slot,
                navigation: navigation,
                currentUser: currentUser,
                notice: notice,
                logIn: logIn
            )
        }
    }
}
