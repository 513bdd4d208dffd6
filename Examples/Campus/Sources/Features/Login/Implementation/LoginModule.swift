public import Backplane
public import BackplaneNavigation
public import CampusAccounts
public import CampusModels
import LoginInterface
public import Screens

/// The login feature.
public struct LoginModule: BoardModule {
    let navigator: ScreenNavigator
    let account: () async -> (any Account)?
    let notice: () async -> String?
    let signIn: (LoginRequest) async throws -> any Account

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the form.
    ///   - account: returns the account of the signed-in user; `nil` if no user is signed in.
    ///   - notice: returns a text to show above the form, for example why the user has to sign in
    ///     again; `nil` for no text.
    ///   - signIn: signs a user in. The form shows an error that it throws; the text of a
    ///     `LocalizedError` is shown as it is.
    public init(
        navigator: ScreenNavigator,
        account: @escaping () async -> (any Account)?,
        notice: @escaping () async -> String? = { nil },
        signIn: @escaping (LoginRequest) async throws -> any Account
    ) {
        self.navigator = navigator
        self.account = account
        self.notice = notice
        self.signIn = signIn
    }

    /// Registers the login board.
    public func register(on motherboard: Motherboard) {
        motherboard.register { slot in LoginBoard(slot: slot, module: self) }
    }
}
