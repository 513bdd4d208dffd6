import AgendaFeature
import Backplane
import CampusAccounts
import CampusFlows
import CampusModels
import CatalogFeature
import CatalogInterface
import ComposerFeature
import CourseFeature
import DashboardFeature
import LoginFeature
import LoginInterface
import ProductFeature
import RootFeature
import Screens
import Testing

/// An app's assembly of the features, with a server made of a few closures.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AssemblyCallers {
    private let motherboard = Motherboard.onMain()
    private let navigation = Navigation()

    init() {
        let course = Course(id: "abc123", title: "Engines", summary: "How they work.")
        let product = Product(id: "cards", title: "Punched Cards", description: "Blank.", price: Price(cents: 495))
        motherboard.install(CampusFlows())
        motherboard.install(RootModule(navigation: navigation))
        motherboard.install(
            LoginModule(
                navigation: navigation,
                account: { nil },
                logIn: { request in StillAccount(User.ID(rawValue: request.email)) }
            )
        )
        motherboard.register(.session) { [navigation] slot, account in
            slot.inner.install(SessionFlows())
            Self.install(on: slot.inner, for: account.user, navigation, course)
            return Silent(slot: slot)
        }
        motherboard.install(CatalogModule(navigation: navigation, loadProducts: { [product] }))
        motherboard.install(ProductModule(navigation: navigation, loadProduct: { _ in product }))
    }

    private static func install(
        on motherboard: Motherboard,
        for user: User.ID,
        _ navigation: Navigation,
        _ course: Course
    ) {
        motherboard.install(
            DashboardModule(
                navigation: navigation,
                loading: DashboardLoading(
                    user: { User(id: user, name: "Ada", email: "ada@campus.example") },
                    courses: { [course] },
                    messages: { [] }
                )
            )
        )
        motherboard.install(
            AgendaModule(loadCourses: { [course] }, loadSchedule: { _ in [] }, loadTodos: { _ in [] })
        )
        motherboard.install(
            CourseModule(
                navigation: navigation,
                loading: CourseLoading(
                    course: { _ in course },
                    tutor: { _ in Tutor(id: "t", name: "Charles Babbage", email: "", officeHours: "Mondays") },
                    schedule: { _ in [] },
                    todos: { _ in [Todo(id: "1", title: "Draw", isDone: false, rev: 0)] }
                )
            )
        )
        motherboard.install(
            ComposerModule(
                navigation: navigation,
                loadContacts: { [Contact(id: "grace", name: "Grace Hopper", role: .student)] },
                sendMessage: { message in Message.ID(rawValue: message.text) }
            )
        )
    }

    @Test func `public screens open while signed out, and a course waits for the log-in`() async {
        motherboard.activate(.catalog)
        #expect(navigation.top?.path == "/catalog")
        #expect(motherboard.open("/product/cards") == .opened)
        #expect(navigation.top?.path == "/product/cards")
        #expect(motherboard.open("/course/abc123") == .waiting)
        while navigation.top?.title != "Log in", !Task.isCancelled { await Task.yield() }
        navigation.top?.handle(ScreenEvent(name: "log-in", fields: ["email": "ada", "password": "right"]))
        while navigation.top?.title != "Engines", !Task.isCancelled { await Task.yield() }
        #expect(navigation.stack.last?.screen.path == "/course/abc123")
    }
}
