import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import CatalogModels
import CourseModels
import Screens
import Testing

/// Tests that a page says in words when a list is empty.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct EmptyListTests {
    private let campus = HeadlessCampus()

    private func settle(_ screen: any Screens.Screen) async {
        while screen.isBusy, !Task.isCancelled { await Task.yield() }
    }

    /// Returns the HTML of a section of the top screen.
    private func html(of section: String) throws -> String {
        try #require(campus.navigator.top?.screen).html(of: section)
    }

    @Test func `a list says that it is empty after it has loaded, and not before`() async throws {
        let catalog = CatalogModel(loadProducts: { [] }, onOpen: { _ in })
        #expect(try !catalog.html(of: "products").contains("The shop has nothing"))
        catalog.products.load(on: MainActor.shared)
        #expect(try !catalog.html(of: "products").contains("The shop has nothing"))
        await settle(catalog)
        #expect(try catalog.html(of: "products").contains("The shop has nothing at the moment."))
    }

    @Test func `only a loaded list without elements says that it is empty`() async throws {
        let broken = CatalogModel(loadProducts: { throw DisplayError("Closed.") }, onOpen: { _ in })
        let products = [Product(id: "cards", title: "Punched Cards", description: "", price: Price(cents: 1))]
        let full = CatalogModel(loadProducts: { products }, onOpen: { _ in })
        for (catalog, text) in [(broken, "Closed."), (full, "Punched Cards")] {
            catalog.products.load(on: MainActor.shared)
            await settle(catalog)
            let html = try catalog.html(of: "products")
            #expect(html.contains(text))
            #expect(!html.contains("The shop has nothing"))
        }
    }

    @Test func `a course without appointments and to-dos says so`() async throws {
        let loading = CourseLoading(
            course: { Course(id: $0, title: "Engines", summary: "") },
            tutor: { _ in Tutor(id: "t", name: "Babbage", email: "", officeHours: "") },
            schedule: { _ in [] },
            todos: { _ in [] }
        )
        let todos = TodoList(todos: Loader(loading.todos), canChange: false)
        let course = CourseModel(id: "abc123", loading: loading, todos: todos)
        course.load()
        await settle(course)
        #expect(try course.html(of: "schedule").contains("This course has no appointments."))
        #expect(try course.html(of: "to-dos").contains("No to-dos for this course."))
    }

    @Test func `a user without courses, contacts or other sessions is told so`() async throws {
        campus.server.user = "ada"
        campus.server.courses = []
        campus.server.contacts = []
        campus.server.sessions.removeAll { !$0.isCurrent }
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        #expect(try html(of: "courses").contains("You have no courses yet."))
        campus.motherboard.open("/settings")
        await campus.shows("Settings")
        #expect(try html(of: "sessions").contains("No other sessions."))
        campus.motherboard.open("/compose")
        await campus.shows("New message")
        campus.press("add-recipients")
        await campus.shows("Recipients")
        #expect(try html(of: "contacts").contains("You have no contacts to write to."))
    }
}
