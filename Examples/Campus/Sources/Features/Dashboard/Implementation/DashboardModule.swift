public import Backplane
public import BackplaneNavigation
import DashboardInterface
public import DashboardModels
public import Screens

/// The dashboard feature.
public struct DashboardModule: BoardModule {
    private let navigator: ScreenNavigator
    private let loading: DashboardLoading
    private let outbox: (any DashboardOutbox)?

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - loading: loads the contents of the dashboard.
    ///   - outbox: the messages that are not sent yet; without an outbox, the dashboard shows sent
    ///     messages only.
    public init(navigator: ScreenNavigator, loading: DashboardLoading, outbox: (any DashboardOutbox)? = nil) {
        self.navigator = navigator
        self.loading = loading
        self.outbox = outbox
    }

    /// Registers the dashboard board, and adds it to the bar.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.dashboard) { slot in
            DashboardBoard(slot: slot, navigator: navigator, loading: loading, outbox: outbox)
        }
        motherboard.contribute(to: .barEntries, order: 10) { BarEntry("Dashboard", path: "/") }
    }
}
