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
    private var screen: DashboardScreen?

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

    func activate(with input: Void) {
        let screen = DashboardScreen(loading: loading, outbox: outbox) { [slot] in
            slot.inner.contributions(to: .dashboardTiles)
        }
        screen.delegate = self
        screen.load(on: slot.owner)
        connect(screen)
        self.screen = screen
        pair(with: navigation.setRoot(screen))
        send(.needsWeek)
    }

    /// The screen leaves, also when the session ends around it.
    func didEnd(_ completion: Completion) {
        if let screen { navigation.dismiss(screen) }
    }

    private func connect(_ component: some DashboardControllable) {
        bus.connect(component) { component, command in
            switch command {
            case .refresh: component.reload()
            case .show(let week): component.show(week)
            case .weekChanged: break
            }
        }
    }

    func receive(_ command: Dashboard.Command) {
        bus.send(command)
        switch command {
        case .refresh, .weekChanged: send(.needsWeek)
        case .show: break
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

    func logOut() {
        send(.logOut)
    }
}
