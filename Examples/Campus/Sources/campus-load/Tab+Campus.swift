/// A demo user of Campus.
struct DemoUser: Sendable {
    let email: String
    let password: String

    static let all = [
        DemoUser(email: "ada@campus.example", password: "correct horse"),
        DemoUser(email: "grace@campus.example", password: "battery staple"),
    ]
}

/// The steps of a user of Campus.
extension OpenPage {
    /// A course of every demo user.
    private static let course = "lin201"

    func signIn(as user: DemoUser) async throws {
        try await showSignIn()
        try await send("sign-in", ["email": user.email, "password": user.password])
        try await showDashboard()
    }

    func showSignIn() async throws {
        try await wait(for: "the sign-in form") { $0.shows("type=\"password\"") }
    }

    func showDashboard() async throws {
        try await wait(for: "the dashboard") { $0.shows("Welcome back") }
    }

    /// Waits until the dashboard is shown again after a crash at `time`, and returns when it was.
    func showDashboard(after time: ContinuousClock.Instant) async throws -> ContinuousClock.Instant {
        try await wait(for: "the dashboard again", within: .seconds(120)) { $0.time > time && $0.shows("Welcome back") }
    }

    /// Opens a course from the dashboard, and returns the time until its screen is shown.
    @discardableResult
    func openCourse() async throws -> Duration {
        try await move(to: "/course/\(Self.course)", by: "open", ["course": Self.course])
    }

    /// Returns to the dashboard, and returns the time until its screen is shown.
    @discardableResult
    func leaveCourse() async throws -> Duration {
        try await move(to: "/", by: "_navigate", ["path": "/"])
    }

    func signOut() async throws {
        try await send("sign-out")
        try await showSignIn()
    }

    private func move(to path: String, by event: String, _ fields: [String: String]) async throws -> Duration {
        let start = ContinuousClock.now
        try await send(event, fields)
        return start.duration(to: try await wait(for: path) { $0.area == "main" && $0.html != nil && $0.path == path })
    }
}
