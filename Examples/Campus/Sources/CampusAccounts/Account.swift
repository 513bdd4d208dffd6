public import BackplaneFeatures
public import CampusModels

/// The operations of a signed-in user.
///
/// Each call is made for this user, also after another user has logged in. Once the account has ended, no request is sent
/// any more. The errors are `DisplayError`s, in words for users.
public protocol Account: AnyObject, Sendable {
    /// The user.
    var user: User.ID { get }

    /// The user as the app has it.
    func knownUser() async throws -> User
    /// The user as the server has it now.
    func loadUser() async throws -> User

    func sessions() async throws -> [UserSession]
    func endSession(_ id: UserSession.ID) async throws
    func endOtherSessions() async throws

    func courses() async throws -> [Course]
    func course(_ id: Course.ID) async throws -> Course
    func tutor(of course: Course.ID) async throws -> Tutor
    func schedule(of course: Course.ID) async throws -> [ScheduleItem]
    func todos(of course: Course.ID) async throws -> [Todo]
    /// Changes a to-do, once for each key.
    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws -> Todo

    func contacts() async throws -> [Contact]
    func messages() async throws -> [Message]
    /// Sends a message, once for each key.
    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message

    func favorites() async throws -> Set<Product.ID>
    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws
    /// Buys something, once for each key.
    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase

    /// Logs the user out, whether or not the server can be told.
    ///
    /// The account has ended when this returns.
    func logOut() async

    /// Returns when the account has ended: by a log-out, or because the server accepts its tokens no more.
    ///
    /// It also returns when the task that waits is cancelled.
    func end() async
}
