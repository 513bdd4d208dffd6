public import CampusModels

/// The closures that load the parts of a dashboard, except its messages, so that each part can fail
/// alone.
public struct DashboardLoading {
    let user: () async throws -> User
    let courses: () async throws -> [Course]

    /// Creates the group of closures, which are called on the window's actor.
    public init(user: @escaping () async throws -> User, courses: @escaping () async throws -> [Course]) {
        self.user = user
        self.courses = courses
    }
}
