import Backplane
import CampusAccounts
import LoginInterface

/// The session: it holds the account, and so does everything that is installed inside it.
///
/// It ends with the account, in every window.
final class SessionBoard: Board {
    let slot: Slot<Session>
    private let account: any Account
    private let modules: AccountModules

    init(slot: Slot<Session>, account: any Account, modules: AccountModules) {
        self.slot = slot
        self.account = account
        self.modules = modules
        modules.install(on: inner, owner: slot.owner)
    }

    func activate(with account: any Account) {
        task {
            await account.end()
            self.complete()
        }
    }

    /// What the user has changed is sent no more once they have logged out; of a window that closes it still is.
    func didEnd(_ completion: Completion) {
        if case .done = completion { modules.reset() }
    }

    func receive(_ command: Session.Command) {
        switch command {
        case .logOut: task { await self.account.logOut() }
        }
    }
}
