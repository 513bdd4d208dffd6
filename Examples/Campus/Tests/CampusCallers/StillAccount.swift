import BackplaneFeatures
import CampusAccounts
import CampusModels

struct Unable: Error {}

/// An account whose requests all fail.
final class StillAccount: Account {
    let user: User.ID
    let changes = AccountChanges()

    init(_ user: User.ID) {
        self.user = user
    }

    func knownUser() async throws -> User { throw Unable() }
    func loadUser() async throws -> User { throw Unable() }
    func sessions() async throws -> [DeviceSession] { [] }
    func endSession(_ id: DeviceSession.ID) async throws {}
    func endOtherSessions() async throws {}
    func courses() async throws -> [Course] { [] }
    func course(_ id: Course.ID) async throws -> Course { throw Unable() }
    func tutor(of course: Course.ID) async throws -> Tutor { throw Unable() }
    func schedule(of course: Course.ID) async throws -> [ScheduleItem] { [] }
    func todos(of course: Course.ID) async throws -> [Todo] { [] }
    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws -> Todo
    {
        throw Unable()
    }
    func contacts() async throws -> [Contact] { [] }
    func messages(before: Message.ID?) async throws -> MessagePage { MessagePage(messages: []) }
    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message { throw Unable() }
    func favorites() async throws -> Set<Product.ID> { [] }
    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws {}
    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase { throw Unable() }
    func signOut() async {}
    func end() async {}
}
