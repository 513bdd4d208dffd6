import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import DashboardInterface
import DashboardModels
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
    /// Continues, because the user does not log out.
    func stay()
}

extension DashboardModel: DashboardControllable {}

/// A board that shows the dashboard, sends the user's choices, and forwards commands to the screen.
final class DashboardBoard: Board {
    let slot: Slot<Dashboard>
    private let navigator: ScreenNavigator
    private let loading: DashboardLoading
    private let messages: PagedLoader<Message.ID, Message>
    private let outbox: (any DashboardOutbox)?
    private let bus: Bus<Dashboard.Command>

    init(
        slot: Slot<Dashboard>,
        navigator: ScreenNavigator,
        loading: DashboardLoading,
        messages: PagedLoader<Message.ID, Message>,
        outbox: (any DashboardOutbox)?
    ) {
        self.slot = slot
        self.navigator = navigator
        self.loading = loading
        self.messages = messages
        self.outbox = outbox
        bus = Bus(for: slot)
    }

    func activate(with input: Void) {
        let screen = DashboardModel(
            loading: loading,
            messages: messages,
            outbox: outbox,
            startTask: { [slot] work in slot.task(work) },
            delegate: self,
            tiles: { [slot] in slot.inner.contributions(to: .dashboardTiles) }
        )
        screen.load(on: slot.owner)
        connect(screen)
        pair(with: navigator.setRoot(screen))
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
        send(.compose)
    }

    func refresh() {
        receive(.refresh)
    }

    func countWeek() {
        receive(.weekChanged)
    }

    func logOut() {
        send(.logOut)
    }
}
