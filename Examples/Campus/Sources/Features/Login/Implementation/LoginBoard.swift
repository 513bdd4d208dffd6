import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusAccounts
import CampusModels
import LoginInterface
import LoginModels
import Screens

/// A board that sends the account at once if a user is signed in, and otherwise shows the form.
///
/// The board keeps the form until the sign-in is done.
final class LoginBoard: Board {
    let slot: Slot<Login>
    private let module: LoginModule
    private var form: Place<any Screen>?

    init(slot: Slot<Login>, module: LoginModule) {
        self.slot = slot
        self.module = module
    }

    func activate(with input: Void) {
        task {
            if let account = await self.module.account() {
                self.complete(sending: account)
            } else {
                self.showForm(with: await self.module.notice())
            }
        }
    }

    private func showForm(with notice: String?) {
        let form = form ?? pushForm(with: notice)
        self.form = form
        // Also an existing form: when the user leaves it, this activation must end.
        pair(with: form)
    }

    private func pushForm(with notice: String?) -> Place<any Screen> {
        // Not a capture list: a closure with one would not run on the window's actor.
        let (slot, signIn) = (slot, module.signIn)
        let screen = LoginModel(
            notice: notice,
            // The tasks belong to the board, as the form does, so a new activation cancels none.
            performer: ActionPerformer { work in slot.task(lasting: .board, work) },
            signIn: { request in slot.complete(sending: try await signIn(request)) }
        )
        return module.navigator.push(screen)
    }
}
