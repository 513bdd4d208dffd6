import Backplane
import CampusModels
import DashboardInterface
import Screens

/// What the board tells the dashboard's screen, which knows neither board nor bus.
protocol DashboardControllable: AnyObject {
    /// Loads everything anew.
    func reload()
    /// Shows what is ahead.
    func show(_ week: Dashboard.Week)
}

/// Shows the dashboard, tells what the user chooses there, and passes on what others tell it.
final class DashboardBoard: Board {
    let slot: Slot<Dashboard>
    private let navigation: Navigation
    private let loading: DashboardLoading
    private let outbox: (any DashboardOutbox)?
    private let bus: Bus<Dashboard.Command>

    init(
        slot: Slot<Dashboard>,
        navigation: Navigation,
        loading: DashboardLoading,
        outbox: (any DashboardOutbox)?
    ) {
        self.slot = slot
        self.navigation = navigation
        self.loading = loading
        self.outbox = outbox
        bus = Bus(for: slot)
    }

    func activate(with user: User.ID) {
        let screen = DashboardScreen(user: user, loading: loading, outbox: outbox)
        screen.delegate = self
        screen.load(on: slot.owner)
        connect(screen)
        pair(with: navigation.setRoot(screen))
        send(.refreshed)
    }

    private func connect(_ component: some DashboardControllable) {
        bus.connect(component) { component, command in
            switch command {
            case .refresh: component.reload()
            case .show(let week): component.show(week)
            }
        }
    }

    func receive(_ command: Dashboard.Command) {
        bus.send(command)
        if case .refresh = command { send(.refreshed) }
    }
}

extension DashboardBoard: DashboardDelegate {
    func open(_ course: Course.ID) {
        send(.open(course))
    }

    func compose() {
        send(.compose)
    }

    func settings() {
        send(.settings)
    }

    func refresh() {
        receive(.refresh)
    }

    func logOut() {
        send(.logOut)
    }
}
