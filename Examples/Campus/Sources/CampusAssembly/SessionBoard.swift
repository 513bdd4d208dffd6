import Backplane
import CampusAccounts
import DashboardInterface
import LoginInterface

/// The session board: it holds the account, as do all modules that are installed inside it.
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
        task {
            await self.modules.followOtherWindows { self.inner.send(.weekChanged, to: .dashboard) }
        }
    }

    /// Discards unconfirmed changes after a log-out.
    ///
    /// If only the window closes, they are still sent.
    func didEnd(_ completion: Completion) {
        if case .done = completion { modules.reset() }
    }

    func receive(_ command: Session.Command) {
        switch command {
        case .logOut: task { await self.account.logOut() }
        }
    }
}
