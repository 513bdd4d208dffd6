public import Backplane
public import CampusModels
import DashboardInterface
import LoginInterface
import RootInterface

/// The root feature: the board behind the address `/`.
public struct RootModule: BoardModule {
    private let currentUser: () async -> User.ID?

    /// The feature.
    ///
    /// - Parameter currentUser: who is logged in, if anybody.
    public init(currentUser: @escaping () async -> User.ID?) {
        self.currentUser = currentUser
    }

    /// Registers the root board and its link.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.root) { slot in RootBoard(slot: slot, currentUser: currentUser) }
        motherboard.registerLink("", to: .root)
    }
}

/// Leads on to the dashboard: a user at once, and anybody else by way of a login inside it, with which it ends.
private final class RootBoard: Board {
    let slot: Slot<Root>
    private let currentUser: () async -> User.ID?

    init(slot: Slot<Root>, currentUser: @escaping () async -> User.ID?) {
        self.slot = slot
        self.currentUser = currentUser
        // Inside, where only this login is heard: one that is a gate elsewhere leads to where its gate leads.
        slot.inner.registerFlow(from: .login, weak: self) { root, user in root.showDashboard(of: user) }
        slot.inner.registerCompletionFlow(.login) { [weak self] completion, _ in self?.complete(completion) }
    }

    func activate(with input: Void) {
        task {
            if let user = await self.currentUser() {
                self.showDashboard(of: user)
            } else {
                self.inner.activate(.login)
            }
        }
    }

    private func showDashboard(of user: User.ID) {
        nextToBoard(.dashboard, with: user)
        complete()
    }
}
