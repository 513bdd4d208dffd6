public import CampusModels

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
