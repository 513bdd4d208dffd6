import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneStorage
import CampusAccounts
import CampusModels
import CampusNetworking

/// An account at the API.
///
/// It exists only while a user is signed in, so none of its properties is optional.
final class NetworkAccount: Account {
    let user: User.ID
    let changes = AccountChanges()
    /// The signed-in user, with the end of the account.
    let account: UserAccount<User>
    /// The user's part of the outbox; `nil` if changes exist only in memory.
    let outbox: AccountOutbox?
    /// The numbers of the next orders, for the windows together.
    let orders = PurchaseOrders()
    private let session: UserSession<User>
    private let checkPassword: @Sendable (String) async throws -> Void
    private let networking: any NetworkController<AuthenticatedNetworkController>
    // Concurrent loads of the same value share one request, for example from several windows, or
    // from a page and the dashboard's summary.
    private let sharedCourses: SharedLoads<NoID, [Course]>
    private let sharedTodos: SharedLoads<Course.ID, [Todo]>

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - account: the signed-in user, whose controller sends the requests.
    ///   - session: the session of the user, for the sign-out.
    ///   - outbox: the user's part of the outbox; `nil` if changes exist only in memory.
    ///   - checkPassword: returns if a password is the user's.
    init(
        _ account: UserAccount<User>,
        of session: UserSession<User>,
        outbox: AccountOutbox?,
        checkPassword: @escaping @Sendable (String) async throws -> Void
    ) {
        user = account.user.id
        self.account = account
        self.outbox = outbox
        self.session = session
        self.checkPassword = checkPassword
        let networking = account.controller.explaining { $0.text }
        self.networking = networking
        sharedCourses = SharedLoads(for: { _ in .courses }, from: networking)
        sharedTodos = SharedLoads(for: { .todos(of: $0) }, from: networking)
    }

    func knownUser() -> User { account.user }
    func loadUser() async throws -> User {
        do {
            return try await account.sync()
        } catch let error as NetworkError {
            throw ExplainedError(error.text, cause: error)
        }
    }

    func check(password: String) async throws { try await checkPassword(password) }

    func sessions() async throws -> [DeviceSession] { try await networking.request(.sessions) }
    func endSession(_ id: DeviceSession.ID) async throws { try await networking.request(.endSession(id)) }
    func endOtherSessions() async throws { try await networking.request(.endOtherSessions) }

    func courses() async throws -> [Course] { try await sharedCourses.value(for: NoID()) }
    func course(_ id: Course.ID) async throws -> Course { try await networking.request(.course(id)) }
    func tutor(of course: Course.ID) async throws -> Tutor { try await networking.request(.tutor(of: course)) }
    func schedule(of course: Course.ID) async throws -> [ScheduleItem] {
        try await networking.request(.schedule(of: course))
    }
    func todos(of course: Course.ID) async throws -> [Todo] { try await sharedTodos.value(for: course) }

    func change(
        _ todo: Todo.ID,
        of course: Course.ID,
        to change: TodoChange,
        key: IdempotencyKey
    ) async throws -> Todo {
        defer { forgetTodos(of: course) }
        return try await networking.request(.change(todo, of: course, to: change), key: "\(key)")
    }

    /// Has the next load of to-dos begin anew.
    ///
    /// A load that started before a change may not include the change, even if the change fails.
    func forgetTodos(of course: Course.ID) { sharedTodos.invalidate(course) }

    func contacts() async throws -> [Contact] { try await networking.request(.contacts) }
    func messages(before: Message.ID?) async throws -> MessagePage {
        try await networking.request(.messages(before: before))
    }
    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message {
        try await networking.request(.send(message), key: "\(key)")
    }

    func favorites() async throws -> Set<Product.ID> { Set(try await networking.request(.favorites)) }
    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws {
        try await networking.request(isFavorite ? .addFavorite(product) : .removeFavorite(product))
    }

    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        try await networking.request(.purchase(new), key: "\(key)")
    }

    // MARK: The end

    func end() async { _ = await account.ended() }

    func signOut() async {
        // The session may already have another user.
        guard account.ending == nil else { return }
        // Its changes wait in the file until the user signs in again.
        await outbox?.stop()
        // If the server cannot be reached, it forgets the session when the tokens expire.
        try? await session.signOut()
    }
}
