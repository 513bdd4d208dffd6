import Backplane
import BackplaneNetworking
import CampusModels
import CampusNetworking
import CourseFeature
import CourseInterface
import DashboardFeature
import DashboardInterface
public import Foundation
import LoginFeature
import LoginInterface
import RootFeature
import Screens
public import WebHost

/// Campus put together: the one place that knows every feature, the network and the host.
public enum CampusApp {
    /// The app for a web host, talking to the API at `api`.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - observe: told of every exchange with the API, as a line for a log.
    /// - Returns: the app.
    /// - Throws: `NetworkError` when `api` cannot be used.
    public static func webApp(
        api: URL,
        observe: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> WebApp<some Sendable> {
        var options = NetworkOptions()
        options.timeout = .seconds(10)
        options.observe = { observe($0.description) }
        let service = try NonAuthenticatedNetworkController(baseURL: api, options: options)
        return WebApp(
            name: "Campus",
            templates: templates,
            makeScope: { CampusSession(service: service, control: $0) },
            assemble: assemble
        )
    }

    /// Fills a window, on the window's actor.
    @Sendable private static func assemble(
        _ motherboard: Motherboard,
        _ navigation: Navigation,
        _ session: CampusSession,
        _ window: WindowID
    ) {
        let currentUser: () async -> User.ID? = { await session.currentUser }
        motherboard.install(RootModule(currentUser: currentUser))
        motherboard.install(
            LoginModule(
                navigation: navigation,
                currentUser: currentUser,
                logIn: { try await session.logIn(with: $0, from: window) }
            )
        )
        motherboard.install(
            DashboardModule(
                navigation: navigation,
                loadUser: { _ in try await session.syncUser() },
                loadCourses: { _ in try await session.load(.courses) },
                logOut: { await session.logOut() }
            )
        )
        motherboard.install(
            CourseModule(
                navigation: navigation,
                loading: CourseLoading(
                    course: { try await session.load(.course($0)) },
                    tutor: { try await session.load(.tutor(of: $0)) },
                    schedule: { try await session.load(.schedule(of: $0)) },
                    todos: { try await session.load(.todos(of: $0)) }
                )
            )
        )
        motherboard.gate(.dashboard, by: .login) { _ in .open }
        motherboard.gate(.course, by: .login) { _ in .open }
        motherboard.registerFlow(from: .dashboard) { output, motherboard in
            switch output {
            case .open(let course): motherboard.activate(.course, with: course)
            case .loggedOut: break  // The session has ended by then, and this window with it.
            }
        }
    }
}
