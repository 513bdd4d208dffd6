import AgendaFeature
import Backplane
import BackplaneTesting
import CampusFlows
import CampusModels
import CatalogueFeature
import ComposerFeature
import CourseFeature
import DashboardFeature
import LoginFeature
import ProductFeature
import RootFeature
import Screens
import SettingsFeature
import SignOutFeature

/// Campus without host, browser or network: its features and its flows, with a ``FakeServer`` behind their closures.
@MainActor
final class HeadlessCampus {
    let motherboard = Motherboard.onMain()
    let navigation = Navigation()
    let server = FakeServer()
    /// What passes before something is sent again.
    let clock = ManualClock()

    init() {
        let server = server
        motherboard.install(CampusFlows())
        motherboard.install(RootModule(currentUser: { server.currentUser() }))
        motherboard.install(
            LoginModule(
                navigation: navigation,
                currentUser: { server.currentUser() },
                notice: { server.notice },
                logIn: { try server.logIn(with: $0) }
            )
        )
        motherboard.install(SignOutModule(signOut: { try await server.logOut() }))
        motherboard.install(
            DashboardModule(
                navigation: navigation,
                loading: DashboardLoading(
                    user: { User(id: $0, name: "Ada", email: "ada@campus.example") },
                    courses: { _ in server.courses },
                    messages: { _ in server.messages }
                )
            )
        )
        motherboard.install(
            SettingsModule(
                navigation: navigation,
                actions: SettingsActions(
                    user: { User(id: "ada", name: "Ada", email: "ada@campus.example") },
                    sync: { try server.sync() },
                    sessions: { try server.listSessions() },
                    endSession: { try server.endSession($0) },
                    endOtherSessions: { server.sessions.removeAll { !$0.isCurrent } }
                )
            )
        )
        motherboard.install(
            AgendaModule(
                loadCourses: { server.courses },
                loadSchedule: { try server.schedule(of: $0) },
                loadTodos: { try await server.todos(of: $0) }
            )
        )
        motherboard.install(
            CourseModule(
                navigation: navigation,
                loading: CourseLoading(
                    course: { Course(id: $0, title: "Engines", summary: "") },
                    tutor: { _ in Tutor(id: "t", name: "Babbage", email: "", officeHours: "") },
                    schedule: { try server.schedule(of: $0) },
                    todos: { try await server.todos(of: $0) }
                ),
                changeTodo: { todo, _, change, key in try await server.change(todo, to: change, key: key) },
                clock: clock
            )
        )
        motherboard.install(
            ComposerModule(
                navigation: navigation,
                loadContacts: { server.contacts },
                sendMessage: { try server.send($0) }
            )
        )
        motherboard.install(CatalogueModule(navigation: navigation, loadProducts: { server.products }))
        motherboard.install(ProductModule(navigation: navigation, loadProduct: { try await server.product($0) }))
    }

    /// The addresses of what is shown, the root first.
    var paths: [String] { navigation.stack.map(\.screen.path) }

    /// The title of what is on top, if anything is.
    var title: String? { navigation.top?.title }

    /// Lets what has been started on the main actor run until `condition` holds, or until the test is given up.
    func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    /// Waits until a screen of that title is on top and has loaded.
    func shows(_ title: String) async {
        await until { self.title == title && navigation.top?.isBusy == false }
    }

    /// Does something on the screen on top.
    func press(_ event: String, _ fields: [String: String] = [:]) {
        navigation.top?.handle(ScreenEvent(name: event, fields: fields))
    }

    func logIn(password: String = "right") async {
        await shows("Log in")
        press("log-in", ["email": "ada@campus.example", "password": password])
    }

    /// What there is to draw of a section on top, as text.
    func section(_ id: String) -> String {
        navigation.top?.sections.first { $0.id == id }.map { "\($0.model())" } ?? ""
    }
}
