import BackplaneFeatures
import CampusModels
import SettingsFeature

/// What Campus's features ask for, whoever answers: the API on behalf of a session, or nobody but this process.
///
/// What it throws is a `DisplayError`, in words for people.
protocol CampusBackend: SettingsActions, Sendable {
    /// The user who is logged in, if anybody.
    var currentUser: User.ID? { get async }

    /// Logs in.
    ///
    /// `onEntry` is called when the server has let somebody in, before anything of theirs is kept, and `onExpiry` when the session
    /// ends without a log-out.
    func logIn(
        with request: LoginRequest,
        onEntry: @escaping @Sendable () async -> Void,
        onExpiry: @escaping @Sendable () async -> Void
    ) async throws -> User.ID

    /// Logs out, whether or not the server can be told.
    func logOut() async

    func courses() async throws -> [Course]
    func course(_ id: Course.ID) async throws -> Course
    func tutor(of course: Course.ID) async throws -> Tutor
    func schedule(of course: Course.ID) async throws -> [ScheduleItem]
    func todos(of course: Course.ID) async throws -> [Todo]

    /// Changes a to-do, once for each key.
    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws -> Todo
    func contacts() async throws -> [Contact]
    func messages() async throws -> [Message]

    /// Sends a message, once for each key, on behalf of `user` and of nobody who has logged in since.
    func send(_ message: NewMessage, as user: User.ID, key: IdempotencyKey) async throws -> Message

    func catalogue() async throws -> [Product]
    func product(_ id: Product.ID) async throws -> Product

    /// The products that the user likes; none before somebody has logged in.
    func favourites() async throws -> Set<Product.ID>
    func setFavourite(_ product: Product.ID, to isFavourite: Bool) async throws

    /// Buys something, once for each key.
    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase
}
