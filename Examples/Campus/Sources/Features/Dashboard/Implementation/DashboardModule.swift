public import Backplane
public import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
import DashboardInterface
public import DashboardModels
public import Screens

/// The dashboard feature.
public struct DashboardModule: BoardModule {
    let navigator: ScreenNavigator
    let loading: DashboardLoading
    let users: RecordStore<NoID, User>?
    let messages: PagedLoader<Message.ID, Message>
    let outbox: (any DashboardOutbox)?

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - loading: loads the contents of the dashboard.
    ///   - users: the store of the user, which other screens share; without it, nobody does.
    ///   - messages: the user's messages, newest first, into which the outbox inserts those that it
    ///     sends.
    ///   - outbox: the changes that the server may not have; without an outbox, the dashboard shows
    ///     sent messages only.
    public init(
        navigator: ScreenNavigator,
        loading: DashboardLoading,
        users: RecordStore<NoID, User>? = nil,
        messages: PagedLoader<Message.ID, Message>,
        outbox: (any DashboardOutbox)? = nil
    ) {
        self.navigator = navigator
        self.loading = loading
        self.users = users
        self.messages = messages
        self.outbox = outbox
    }

    /// Registers the dashboard board, and adds it to the bar.
    public func register(on motherboard: Motherboard) {
        motherboard.register { slot in DashboardBoard(slot: slot, module: self) }
        motherboard.contribute(to: .barEntries, order: 10) { BarEntry("Dashboard", path: Dashboard.path) }
    }
}
