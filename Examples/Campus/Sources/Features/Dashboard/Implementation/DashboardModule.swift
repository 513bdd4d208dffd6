public import Backplane
public import CampusModels
import DashboardInterface
public import Screens

/// The dashboard feature.
public struct DashboardModule: BoardModule {
    private let navigation: Navigation
    private let loadUser: (User.ID) async throws -> User
    private let loadCourses: (User.ID) async throws -> [Course]
    private let logOut: () async -> Void

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - loadUser: brings the user whose dashboard it is.
    ///   - loadCourses: brings that user's courses.
    ///   - logOut: logs the user out.
    public init(
        navigation: Navigation,
        loadUser: @escaping (User.ID) async throws -> User,
        loadCourses: @escaping (User.ID) async throws -> [Course],
        logOut: @escaping () async -> Void
    ) {
        self.navigation = navigation
        self.loadUser = loadUser
        self.loadCourses = loadCourses
        self.logOut = logOut
    }

    /// Registers the dashboard board.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.dashboard) { slot in
            DashboardBoard(
                slot: slot,
                navigation: navigation,
                screen: DashboardScreen(loadUser: loadUser, loadCourses: loadCourses),
                logOut: logOut
            )
        }
    }
}
