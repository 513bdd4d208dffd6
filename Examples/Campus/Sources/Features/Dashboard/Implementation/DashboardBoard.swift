import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import ComposerInterface
import DashboardInterface
import DashboardModels
import LoginInterface
import Screens

/// The dashboard's screen as its board sees it; the screen knows neither the board nor the bus.
protocol DashboardControllable: AnyObject {
    /// Reloads everything.
    func reload()
    /// Says that the counts of the week are on their way.
    func awaitWeek()
    /// Shows the counts of the week.
    func show(_ week: Dashboard.Week)
    /// Says why there are no counts of the week.
    func failWeek(_ reason: String)
    /// Continues, because the user does not sign out.
    func stay()
}

extension DashboardModel: DashboardControllable {}

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
        screen.load(on: slot.owner)
        connect(screen)
        pair(with: module.navigator.setRoot(screen))
        send(.needsWeek)
    }

    private func connect(_ component: some DashboardControllable) {
        bus.connect(component) { component, command in
            switch command {
            case .refresh: component.reload()
            case .weekChanged: component.awaitWeek()
            case .show(let week): component.show(week)
            case .failWeek(let reason): component.failWeek(reason)
            case .stay: component.stay()
            }
        }
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
