public import Backplane
public import CampusModels
import DashboardInterface
public import Screens

/// The dashboard feature.
public struct DashboardModule: BoardModule {
    private let navigation: Navigation
    private let loading: DashboardLoading
    private let outbox: (any DashboardOutbox)?

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigation: the navigation that shows the screen.
    ///   - loading: loads the contents of the dashboard.
    ///   - outbox: the messages that are not sent yet; without an outbox, the dashboard shows sent
    ///     messages only.
    public init(navigation: Navigation, loading: DashboardLoading, outbox: (any DashboardOutbox)? = nil) {
        self.navigation = navigation
        self.loading = loading
        self.outbox = outbox
    }

    /// Registers the dashboard board, and adds it to the bar.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.dashboard) { slot in
            DashboardBoard(slot: slot, navigation: navigation, loading: loading, outbox: outbox)
        }
        motherboard.contribute(to: .barEntries, order: 10) { BarEntry("Dashboard", path: "/") }
    }
}

/// The closures that load a dashboard, one for each part, so that each part can fail alone.
public struct DashboardLoading {
    let user: () async throws -> User
    let courses: () async throws -> [Course]
    let messages: () async throws -> [Message]

    /// Creates the group of closures, which are called on the window's actor.
    public init(
        user: @escaping () async throws -> User,
        courses: @escaping () async throws -> [Course],
        messages: @escaping () async throws -> [Message]
    ) {
        self.user = user
        self.courses = courses
        self.messages = messages
    }
}
