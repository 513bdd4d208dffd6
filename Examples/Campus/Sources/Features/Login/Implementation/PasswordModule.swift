public import Backplane
import BackplaneFeatures
public import BackplaneNavigation
import CampusModels
import LoginInterface
import LoginModels
public import Screens

/// The part of the login feature inside the session, which asks for the password again.
public struct PasswordModule: BoardModule {
    private let navigator: ScreenNavigator
    private let check: (String) async throws -> Void

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the form.
    ///   - check: returns if the password is the user's. The form shows an error that it throws;
    ///     the text of a `LocalizedError` is shown as it is.
    public init(navigator: ScreenNavigator, check: @escaping (String) async throws -> Void) {
        self.navigator = navigator
        self.check = check
    }

    /// Registers the board.
    public func register(on motherboard: Motherboard) {
        motherboard.register(PasswordCheck.id, reuse: .perActivation) { slot in
            PasswordBoard(slot: slot, navigator: navigator, check: check)
        }
    }
}

/// A board with a form in a sheet; a user who closes the sheet has not answered.
private struct PasswordBoard: Board {
    let slot: Slot<PasswordCheck>
    let navigator: ScreenNavigator
    let check: (String) async throws -> Void

    func activate(with reason: String) {
        let screen = LoginModel(
            notice: reason,
            onCancel: { slot.complete(.cancelled) },
            performer: ActionPerformer(startTask: slot.task),
            signIn: { request in
                try await check(request.password)
                slot.complete(sending: ())
            }
        )
        pair(with: navigator.present(screen))
    }
}
