public import BackplaneFeatures
public import CampusModels

/// The operations of a signed-in user.
///
/// All calls act for this user, even after another user has signed in. After the account has ended,
/// no request is sent. The errors are `LocalizedError`s with texts for users.
public protocol Account: AnyObject, Sendable {
    /// The user's ID.
    var user: User.ID { get }

    /// The confirmed changes, which windows of the account report to each other.
    var changes: AccountChanges { get }

    /// Returns the user as last loaded.
    func knownUser() async throws -> User
    /// Loads the user from the server.
    func loadUser() async throws -> User

    /// Returns if the password is the user's, as the server says.
    func check(password: String) async throws

    func sessions() async throws -> [DeviceSession]
    func endSession(_ id: DeviceSession.ID) async throws
    func endOtherSessions() async throws

    func courses() async throws -> [Course]
    func course(_ id: Course.ID) async throws -> Course
    func tutor(of course: Course.ID) async throws -> Tutor
    func schedule(of course: Course.ID) async throws -> [ScheduleItem]
    func todos(of course: Course.ID) async throws -> [Todo]
    /// Changes a to-do, at most once for each key.
    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws -> Todo

    func contacts() async throws -> [Contact]
    /// Returns the newest sent messages, or the newest ones before a message.
    func messages(before: Message.ID?) async throws -> MessagePage
    /// Sends a message, at most once for each key.
    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message

    func favorites() async throws -> Set<Product.ID>
    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws
    /// Buys a product, at most once for each key.
    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase

    /// Signs the user out, even if the server cannot be reached.
    ///
    /// The account has ended when this method returns.
    func signOut() async

    /// Waits until the account ends, by a sign-out or because the server no longer accepts its
    /// tokens.
    ///
    /// It also returns when the waiting task is cancelled.
    func end() async
}

extension Account {
    /// Refuses every password, for an account without a server that could check one.
    public func check(password: String) async throws { throw CancellationError() }
}
