import AgendaFeature
import Backplane
import CampusFlows
import CampusModels
import CampusNetworking
import CatalogueFeature
import ComposerFeature
import CourseFeature
import DashboardFeature
import LoginFeature
import ProductFeature
import RootFeature
import Screens
import SignOutFeature
import WebHost

extension CampusApp {
    /// Fills a window, on the window's actor.
    @Sendable static func assemble(
        _ motherboard: Motherboard,
        _ navigation: Navigation,
        _ session: CampusSession,
        _ window: WindowID
    ) {
        motherboard.install(CampusFlows())
        installPublicFeatures(on: motherboard, navigation, session, window)
        installFeaturesOfUsers(on: motherboard, navigation, session)
    }

    private static func installPublicFeatures(
        on motherboard: Motherboard,
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
            CatalogueModule(navigation: navigation, loadProducts: { try await session.request(.catalogue) })
        )
        motherboard.install(
            ProductModule(navigation: navigation, loadProduct: { try await session.request(.product($0)) })
        )
    }

    private static func installFeaturesOfUsers(
        on motherboard: Motherboard,
        _ navigation: Navigation,
        _ session: CampusSession
    ) {
        motherboard.install(
            DashboardModule(
                navigation: navigation,
                loading: DashboardLoading(
                    user: { _ in try await session.syncUser() },
                    courses: { _ in try await session.request(.courses) },
                    messages: { _ in try await session.request(.messages) }
                )
            )
        )
        motherboard.install(
            CourseModule(
                navigation: navigation,
                loading: CourseLoading(
                    course: { try await session.request(.course($0)) },
                    tutor: { try await session.request(.tutor(of: $0)) },
                    schedule: { try await session.request(.schedule(of: $0)) },
                    todos: { try await session.request(.todos(of: $0)) }
                )
            )
        )
        motherboard.install(
            AgendaModule(
                loadCourses: { try await session.request(.courses) },
                loadSchedule: { try await session.request(.schedule(of: $0)) },
                loadTodos: { try await session.request(.todos(of: $0)) }
            )
        )
        motherboard.install(
            ComposerModule(
                navigation: navigation,
                loadContacts: { try await session.request(.contacts) },
                sendMessage: { try await session.request(.send($0)).id }
            )
        )
        motherboard.install(SignOutModule(signOut: { await session.logOut() }))
    }
}
