import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import ComposerInterface
import DashboardInterface
import DashboardModels
import LoginInterface
import Screens

/// A board that shows the dashboard, sends the user's choices, and forwards commands to the screen.
final class DashboardBoard: Board {
    let slot: Slot<Dashboard>
    private let module: DashboardModule
    private let bus: Bus<Dashboard.Command>

    init(slot: Slot<Dashboard>, module: DashboardModule) {
        self.slot = slot
        self.module = module
        bus = Bus(for: slot)
    }

    func activate(with input: Void) {
        let screen = DashboardModel(
            loading: module.loading,
            users: module.users,
            messages: module.messages,
            outbox: module.outbox,
            startTask: slot.task,
            delegate: self,
            tiles: { [slot] in slot.inner.contributions(to: .dashboardTiles) }
        )
        screen.user.load(on: slot.owner)
        screen.courses.load(on: slot.owner)
        screen.messages.load(on: slot.owner)
        bus.connect(screen) { screen, command in screen.obey(command) }
        pair(with: module.navigator.setRoot(screen))
        receive(.weekChanged)
    }

    func receive(_ command: Dashboard.Command) {
        bus.send(command)
        switch command {
        case .refresh, .weekChanged: send(.needsWeek)
        case .show, .failWeek, .stay: break
        }
    }
}

extension DashboardBoard: DashboardDelegate {
    func open(_ course: Course.ID) {
        send(.open(course))
    }

    func compose() {
        nextToBoard(Composer.id, with: "")
    }

    func refresh() {
        receive(.refresh)
    }

    func countWeek() {
        receive(.weekChanged)
    }

    func signOut() {
        sendAction(SessionAction.signOut)
    }
}
