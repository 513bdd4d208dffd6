import BackplaneFeatures
import BackplaneNetworking
import CampusAccounts
import CampusModels
import CampusNetworking
import Screens

/// An account at the API.
///
/// It exists only while a user is logged in, so none of its properties is optional.
final class NetworkAccount: Account {
    let user: User.ID
    let changes = AccountChanges()
    /// Notifies the windows when the account ends.
    let ending: AccountEnding
    private let manager: UserManager
    private let networking: AuthenticatedNetworkController
    // Concurrent loads of the same value share one request, for example from several windows, or
    // from a page and the dashboard's summary.
    private let sharedCourses: SharedLoads<NoID, [Course]>
    private let sharedTodos: SharedLoads<Course.ID, [Todo]>

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - manager: holds the loaded user.
    ///   - networking: sends requests for the user.
    ///   - ending: ends when the server rejects the user's tokens.
    init(user manager: UserManager, networking: AuthenticatedNetworkController, ending: AccountEnding) async {
        user = await manager.user.id
        self.manager = manager
        self.networking = networking
        self.ending = ending
        sharedCourses = SharedLoads { try await networking.request(.courses) }
        sharedTodos = SharedLoads { course in try await networking.request(.todos(of: course)) }
    }

    private func request<Value>(_ endpoint: AuthenticatedEndpoint<Value>) async throws -> Value {
        try await explaining { try await networking.request(endpoint) }
    }

    private func explaining<Value>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch let error as NetworkError {
            throw DisplayError(requestProblem: error)
        }
    }

    func knownUser() async -> User { await manager.user }
    func loadUser() async throws -> User { try await explaining { try await manager.sync() } }

    func sessions() async throws -> [UserSession] { try await request(.sessions) }
    func endSession(_ id: UserSession.ID) async throws { try await request(.endSession(id)) }
    func endOtherSessions() async throws { try await request(.endOtherSessions) }

    func courses() async throws -> [Course] { try await explaining { try await sharedCourses.value() } }
    func course(_ id: Course.ID) async throws -> Course { try await request(.course(id)) }
    func tutor(of course: Course.ID) async throws -> Tutor { try await request(.tutor(of: course)) }
    func schedule(of course: Course.ID) async throws -> [ScheduleItem] { try await request(.schedule(of: course)) }
    func todos(of course: Course.ID) async throws -> [Todo] {
        try await explaining { try await sharedTodos.value(for: course) }
    }

    func change(
        _ todo: Todo.ID,
        of course: Course.ID,
        to change: TodoChange,
        key: IdempotencyKey
    ) async throws -> Todo {
        // A load that started earlier may not include the change, even if the change fails.
        defer { sharedTodos.invalidate(course) }
        return try await request(.change(todo, of: course, to: change).idempotencyKey("\(key)"))
    }

    func contacts() async throws -> [Contact] { try await request(.contacts) }
    func messages(before: Message.ID?) async throws -> MessagePage { try await request(.messages(before: before)) }
    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message {
        try await request(.send(message).idempotencyKey("\(key)"))
    }

    func favorites() async throws -> Set<Product.ID> { Set(try await request(.favorites)) }
    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws {
        try await request(isFavorite ? .addFavorite(product) : .removeFavorite(product))
    }

    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        try await request(.purchase(new).idempotencyKey("\(key)"))
    }

    // MARK: The end

    func end() async { await ending.wait() }

    func logOut() async {
        guard await ending.come(by: .logOut) else { return }
        // The log-out has its own task, because the task of the calling board is cancelled when the
        // account ends. If the server cannot be reached, it forgets the session when the tokens
        // expire.
        await Task { [networking] in try? await LogoutPerformer(networking: networking).logout() }.value
    }

    /// Ends the account, even if the server cannot be told.
    func leave(tellingServer: Bool) async throws {
        await ending.come(by: .logOut)
        if tellingServer {
            try await LogoutPerformer(networking: networking).logout()
        } else {
            try await networking.signOut()
        }
    }
}

/// The end of an account, which any number of windows can await.
actor AccountEnding {
    enum Reason {
        case logOut
        /// The server no longer accepts the tokens.
        case expiry
    }

    private(set) var reason: Reason?
    private var waiting: [Int: AsyncStream<Never>.Continuation] = [:]
    private var count = 0

    /// Ends the account, and returns `false` if it had already ended.
    @discardableResult
    func come(by reason: Reason) -> Bool {
        guard self.reason == nil else { return false }
        self.reason = reason
        for waiting in waiting.values { waiting.finish() }
        return true
    }

    /// Waits until the account ends or the task is cancelled.
    func wait() async {
        guard reason == nil else { return }
        count += 1
        let number = count
        let (end, waiting) = AsyncStream<Never>.makeStream()
        self.waiting[number] = waiting
        for await _ in end {}
        self.waiting[number] = nil
    }
}
