import BackplaneFeatures
import CampusModels
import Screens

@testable import CampusApp

/// A ``FakeServer`` as the assembly asks it.
struct FakeBackend: CampusBackend {
    let server: FakeServer

    var currentUser: User.ID? {
        get async { await server.currentUser() }
    }

    func logIn(
        with request: LoginRequest,
        onEntry: @escaping @Sendable () async -> Void,
        onExpiry: @escaping @Sendable () async -> Void
    ) async throws -> User.ID {
        try await server.logIn(with: request)
    }

    func logOut() async { try? await server.logOut() }
    func knownUser() async throws -> User { User(id: "ada", name: "Ada", email: "ada@campus.example") }
    func user() async throws -> User { try await server.sync() }
    func sessions() async throws -> [UserSession] { try await server.listSessions() }
    func endSession(_ id: UserSession.ID) async throws { try await server.endSession(id) }
    func endOtherSessions() async throws { await server.endOtherSessions() }
    func courses() async throws -> [Course] { await server.courses }
    func course(_ id: Course.ID) async throws -> Course { Course(id: id, title: "Engines", summary: "") }

    func tutor(of course: Course.ID) async throws -> Tutor {
        Tutor(id: "t", name: "Babbage", email: "", officeHours: "")
    }

    func schedule(of course: Course.ID) async throws -> [ScheduleItem] { try await server.schedule(of: course) }
    func todos(of course: Course.ID) async throws -> [Todo] { try await server.todos(of: course) }

    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws {
        try await server.change(todo, to: change, key: key)
    }

    func contacts() async throws -> [Contact] { await server.contacts }
    func messages() async throws -> [Message] { await server.messages }

    func send(_ message: NewMessage, as user: User.ID, key: IdempotencyKey) async throws {
        try await server.send(message, key: key)
    }

    func catalogue() async throws -> [Product] { server.products }
    func product(_ id: Product.ID) async throws -> Product { try await server.product(id) }
    func favourites() async throws -> Set<Product.ID> {
        await server.user == nil ? [] : await server.favourites
    }

    func setFavourite(_ product: Product.ID, to isFavourite: Bool) async throws {
        try await server.setFavourite(product, to: isFavourite)
    }

    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        try await server.purchase(new, key: key)
    }
}
