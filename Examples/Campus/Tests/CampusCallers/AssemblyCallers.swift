import AgendaFeature
import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusAccounts
import CampusFlows
import CampusModels
import CatalogFeature
import CatalogInterface
import ComposerFeature
import CourseFeature
import CourseModels
import DashboardFeature
import DashboardModels
import LoginFeature
import LoginInterface
import LoginModels
import ProductFeature
import ProductModels
import RootFeature
import Screens
import Testing

/// An app's assembly of the features, with a server made of a few closures.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AssemblyCallers {
    private let motherboard = Motherboard.onMain()
    private let navigator = ScreenNavigator.onMain(hasTransitions: false)

    init() {
        let course = Course(id: "abc123", title: "Engines", summary: "How they work.")
        let product = Product(id: "cards", title: "Punched Cards", description: "Blank.", price: Price(cents: 495))
        motherboard.install(CampusFlows())
        motherboard.install(RootModule(navigator: navigator))
        motherboard.install(
            LoginModule(
                navigator: navigator,
                account: { nil },
                signIn: { request in StillAccount(User.ID(rawValue: request.email)) }
            )
        )
        motherboard.register(Session.id) { [navigator] slot, account in
            slot.inner.install(SessionFlows())
            Self.install(on: slot.inner, for: account.user, navigator, course)
            return Silent(slot: slot)
        }
        motherboard.install(CatalogModule(navigator: navigator, loadProducts: { [product] }))
        motherboard.install(ProductModule(navigator: navigator, actions: ProductModel.Actions { _ in product }))
    }

    private static func install(
        on motherboard: Motherboard,
        for user: User.ID,
        _ navigator: ScreenNavigator,
        _ course: Course
    ) {
        motherboard.install(
            DashboardModule(
                navigator: navigator,
                loading: DashboardLoading(
                    user: { User(id: user, name: "Ada", email: "ada@campus.example") },
                    courses: { [course] }
                ),
                messages: PagedLoader { _ in Page([]) }
            )
        )
        motherboard.install(
            AgendaModule(loadCourses: { [course] }, loadSchedule: { _ in [] }, loadTodos: { _ in [] })
        )
        motherboard.install(
            CourseModule(
                navigator: navigator,
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
                navigator: navigator,
                loadContacts: { [Contact(id: "grace", name: "Grace Hopper", role: .student)] },
                sendMessage: { message in Message.ID(rawValue: message.text) }
            )
        )
    }

    @Test func `public screens open while signed out, and a course waits for the sign-in`() async {
        motherboard.activate(Catalog.id)
        #expect(navigator.top?.screen.path == "/catalog")
        #expect(motherboard.open("/product/cards") == .opened)
        #expect(navigator.top?.screen.path == "/product/cards")
        #expect(motherboard.open("/course/abc123") == .waiting)
        while !(navigator.top?.screen is LoginModel), !Task.isCancelled { await Task.yield() }
        (navigator.top?.screen as? LoginModel)?.signIn(email: "ada", password: "right")
        while (navigator.top?.screen as? CourseModel)?.course.value?.title != "Engines", !Task.isCancelled {
            await Task.yield()
        }
        #expect(navigator.top?.screen.path == "/course/abc123")
    }
}
