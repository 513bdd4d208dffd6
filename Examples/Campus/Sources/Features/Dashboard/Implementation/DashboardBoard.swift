import Backplane
import CampusModels
import DashboardInterface
import Screens

/// Shows the dashboard and tells what the user chooses there.
final class DashboardBoard: Board {
    let slot: Slot<Dashboard>
    private let navigation: Navigation
    private let screen: DashboardScreen
    private let performLogOut: () async -> Void

    init(
        slot: Slot<Dashboard>,
        navigation: Navigation,
        screen: DashboardScreen,
        logOut: @escaping () async -> Void
    ) {
        self.slot = slot
        self.navigation = navigation
        self.screen = screen
        performLogOut = logOut
        screen.delegate = self
    }

    func activate(with user: User.ID) {
        screen.load(for: user, on: slot.owner)
        guard !navigation.back(to: screen.path) else { return }
        let slot = slot
        navigation.setRoot(screen, onLeave: { slot.complete(.cancelled) })
    }

    func receive(_ command: Dashboard.Command) {
        switch command {
        case .refresh: screen.reload()
        }
    }
}

extension DashboardBoard: DashboardDelegate {
    func open(_ course: Course.ID) {
        send(.open(course))
    }

    func logOut() {
        task {
            await self.performLogOut()
            self.send(.loggedOut)
        }
    }
}
