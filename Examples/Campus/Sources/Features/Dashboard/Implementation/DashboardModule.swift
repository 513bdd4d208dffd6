public import Backplane
public import CampusModels
import DashboardInterface
public import Screens

/// The dashboard feature.
public struct DashboardModule: BoardModule {
    private let navigation: Navigation
    private let loading: DashboardLoading
    private let outbox: (any DashboardOutbox)?

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loading: brings what a dashboard shows.
    ///   - outbox: where messages are on their way; without one, those that have been sent are all there is to show.
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

/// What a dashboard is loaded from: a closure for each part, so that each can fail on its own.
public struct DashboardLoading {
    let user: () async throws -> User
    let courses: () async throws -> [Course]
    let messages: () async throws -> [Message]

    /// The closures, each called on the window's actor.
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
