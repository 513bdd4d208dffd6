import Backplane
import CampusAccounts
import CampusModels
import LoginInterface
import Screens

/// Answers at once when somebody is logged in, and otherwise shows the form until somebody is.
///
/// It holds its component, the form, until that has served.
final class LoginBoard: Board {
    let slot: Slot<Login>
    private let navigation: Navigation
    private let findAccount: () async -> (any Account)?
    private let notice: () async -> String?
    private let performLogIn: (LoginRequest) async throws -> any Account
    private var form: (screen: LoginScreen, place: Navigation.Entry)?

    init(
        slot: Slot<Login>,
        navigation: Navigation,
        account: @escaping () async -> (any Account)?,
        notice: @escaping () async -> String?,
        logIn: @escaping (LoginRequest) async throws -> any Account
    ) {
        self.slot = slot
        self.navigation = navigation
        findAccount = account
        self.notice = notice
        performLogIn = logIn
    }

    func activate(with input: Void) {
        task {
            if let account = await self.findAccount() {
                self.complete(sending: account)
            } else {
                self.showForm(with: await self.notice())
            }
        }
    }

    /// The form leaves, also when nobody needs the answer any more.
    func didEnd(_ completion: Completion) {
        if let form { navigation.dismiss(form.screen) }
        form = nil
    }

    private func showForm(with notice: String?) {
        let form = form ?? pushForm(with: notice)
        self.form = form
        // Also when there is one already: it is this activation that ends now when the form is left.
        pair(with: form.place)
    }

    private func pushForm(with notice: String?) -> (LoginScreen, Navigation.Entry) {
        let screen = LoginScreen(notice: notice, delegate: self)
        return (screen, navigation.push(screen))
    }
}

extension LoginBoard: LoginDelegate {
    func logIn(with request: LoginRequest) {
        // Of the board, as the form is: whoever asks for the login meanwhile does not stop it.
        task(lasting: .board) {
            do {
                self.complete(sending: try await self.performLogIn(request))
            } catch {
                self.form?.screen.show(error)
            }
        }
    }
}
