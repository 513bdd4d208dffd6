public import Backplane
public import CampusAccounts
public import CampusModels
import LoginInterface
public import Screens

/// The login feature.
public struct LoginModule: BoardModule {
    private let navigation: Navigation
    private let account: () async -> (any Account)?
    private let notice: () async -> String?
    private let logIn: (LoginRequest) async throws -> any Account

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the form is shown.
    ///   - account: returns the account of the user who is logged in; nil if there is none.
    ///   - notice: why somebody who was logged in has to do so again, if that needs to be said above the form.
    ///   - logIn: logs a user in; what it throws is shown beside the form, in the words of a ``DisplayError`` if it is one.
    public init(
        navigation: Navigation,
        account: @escaping () async -> (any Account)?,
        notice: @escaping () async -> String? = { nil },
        logIn: @escaping (LoginRequest) async throws -> any Account
    ) {
        self.navigation = navigation
        self.account = account
        self.notice = notice
        self.logIn = logIn
    }

    /// Registers the login board.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.login) { slot in
            LoginBoard(
                slot: slot,
                navigation: navigation,
                account: account,
                notice: notice,
                logIn: logIn
            )
        }
    }
}
