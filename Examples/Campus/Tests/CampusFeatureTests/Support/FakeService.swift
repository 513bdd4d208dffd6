import BackplaneFeatures
import BackplaneTesting
import CampusAccounts
import CampusModels
import Screens

@testable import CampusAssembly

/// The assembly's service over a ``FakeServer``.
struct FakeService: CampusService {
    let server: FakeServer

    func catalog() async throws -> [Product] { server.products }
    func product(_ id: Product.ID) async throws -> Product { try await server.product(id) }
    func account() async -> (any Account)? { await server.currentAccount() }
    func notice() async -> String? { await server.notice }

    func signIn(with request: LoginRequest, onEntry: @escaping @Sendable () async -> Void) async throws -> any Account {
        try await server.signIn(with: request)
    }
}

/// The account of a user at a ``FakeServer``.
final class FakeAccount: Account {
    let user: User.ID
    let changes = AccountChanges()
    let ending = CannedEnd()
    private let server: FakeServer

    init(user: User.ID, server: FakeServer) {
        self.user = user
        self.server = server
    }

    func knownUser() async throws -> User { await server.knownUser }
    func loadUser() async throws -> User { try await server.sync() }
    func check(password: String) async throws { try await server.check(password) }
    func sessions() async throws -> [DeviceSession] { try await server.listSessions() }
    func endSession(_ id: DeviceSession.ID) async throws { try await server.endSession(id) }
    func endOtherSessions() async throws { await server.endOtherSessions() }
    func courses() async throws -> [Course] { await server.courses }
    func course(_ id: Course.ID) async throws -> Course { Course(id: id, title: "Engines", summary: "") }

    func tutor(of course: Course.ID) async throws -> Tutor {
        Tutor(id: "t", name: "Babbage", email: "", officeHours: "")
    }

    func schedule(of course: Course.ID) async throws -> [ScheduleItem] { try await server.schedule(of: course) }
    func todos(of course: Course.ID) async throws -> [Todo] { try await server.todos(of: course) }

    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws -> Todo
    {
        try await server.change(todo, to: change, key: key)
    }

    func contacts() async throws -> [Contact] { await server.contacts }
    func messages(before: Message.ID?) async throws -> MessagePage { try await server.listMessages(before: before) }

    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message {
        try await server.send(message, key: key)
    }

    func favorites() async throws -> Set<Product.ID> { await server.favorites }

    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws {
        try await server.setFavorite(product, to: isFavorite)
    }

    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        try await server.purchase(new, key: key)
    }

    func end() async { await ending.wait() }

    func signOut() async {
        guard await server.signOut() else { return }
        await ending.come()
        await Task { await server.signOutLatch?.wait() }.value
    }
}
