import Backplane
import CampusAccounts
import DashboardInterface
import LoginInterface
import SettingsInterface

/// The session board: it holds the modules of the account, which are installed inside it.
///
/// It ends with the account, in every window.
final class SessionBoard: Board {
    let slot: Slot<Session>
    private let modules: AccountModules

    init(slot: Slot<Session>, modules: AccountModules) {
        self.slot = slot
        self.modules = modules
        modules.install(on: inner, owner: slot.owner)
        inner.registerGeneralFlow(weak: self) { (board, action: SessionAction) in
            switch action {
            case .signOut: board.signOut()
            }
        }
    }

    func activate(with account: any Account) {
        task {
            await account.end()
            self.complete()
        }
        task { await self.modules.followChanges { self.inner.send(.weekChanged, to: Dashboard.id) } }
        task { await self.modules.followOutbox { self.inner.send(.weekChanged, to: Dashboard.id) } }
    }

    func didEnd(_ completion: Completion) {
        let isSignedOut = if case .done = completion { true } else { false }
        modules.end(isSignedOut: isSignedOut)
    }

    private func signOut() {
        task {
            guard await !self.modules.signOut() else { return }
            self.inner.send(.stay, to: Dashboard.id)
            self.inner.send(.stay, to: Settings.id)
        }
    }
}
