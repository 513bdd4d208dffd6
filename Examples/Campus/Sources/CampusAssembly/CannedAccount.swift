package import BackplaneFeatures
package import CampusAccounts
package import CampusModels
import Foundation

/// An account with fixed data.
///
/// It keeps changes in memory.
package actor CannedAccount: Account {
    package nonisolated let user: User.ID = "ada"
    package nonisolated let changes = AccountChanges()
    private let canned = Course(id: "abc123", title: "Analytical Engines", summary: "From punched cards to programs.")
    private let babbage = Contact(id: "babbage", name: "Charles Babbage", role: .tutor)
    private let ending = CannedEnd()
    private var done: Set<Todo.ID> = ["read"]
    private var liked: Set<Product.ID> = []
    private var sent: [Message] = []

    package init() {}

    /// Whether the user has signed out.
    var hasEnded: Bool { get async { await ending.hasCome } }

    package func end() async { await ending.wait() }
    package func signOut() async { await ending.come() }

    package func knownUser() async throws -> User { User(id: user, name: "Ada Lovelace", email: "ada@campus.example") }

    package func loadUser() async throws -> User { try await knownUser() }

    /// Accepts every password, as the sign-in does.
    package func check(password: String) async throws {}

    package func sessions() async throws -> [DeviceSession] {
        let (begun, refreshed) = (Timestamp(Date(timeIntervalSince1970: 0)), Timestamp(Date(timeIntervalSince1970: 60)))
        return [
            DeviceSession(id: "here", label: "Terminal", begunAt: begun, refreshedAt: refreshed, isCurrent: true),
            DeviceSession(id: "there", label: "Firefox on Linux", begunAt: begun, refreshedAt: begun, isCurrent: false),
        ]
    }

    package func endSession(_ id: DeviceSession.ID) async throws {}

    package func endOtherSessions() async throws {}

    package func courses() async throws -> [Course] { [canned] }

    package func course(_ id: Course.ID) async throws -> Course {
        Course(id: id, title: canned.title, summary: canned.summary)
    }

    package func tutor(of course: Course.ID) async throws -> Tutor {
        Tutor(
            id: "babbage",
            name: babbage.name,
            email: "babbage@campus.example",
            officeHours: "Tuesdays, 14:00 to 16:00"
        )
    }

    package func schedule(of course: Course.ID) async throws -> [ScheduleItem] {
        guard let starts = TimeOfDay("09:30"), let ends = TimeOfDay("11:00") else { return [] }
        return [
            ScheduleItem(id: "lecture", title: "Lecture", day: .monday, starts: starts, ends: ends, room: "Hall 1")
        ]
    }

    package func todos(of course: Course.ID) async throws -> [Todo] {
        [
            todo("read", "Read the notes on the engine"),
            todo("write", "Write the table for the Bernoulli numbers"),
        ]
    }

    private func todo(_ id: Todo.ID, _ title: String) -> Todo {
        Todo(id: id, title: title, isDone: done.contains(id), rev: 0)
    }

    package func change(
        _ todo: Todo.ID,
        of course: Course.ID,
        to change: TodoChange,
        key: IdempotencyKey
    ) async throws -> Todo {
        if change.isDone { done.insert(todo) } else { done.remove(todo) }
        guard let changed = try await todos(of: course).first(where: { $0.id == todo }) else {
            throw NoSuchTodo()
        }
        return changed
    }

    package func contacts() async throws -> [Contact] { [babbage] }

    /// Returns all messages as one page.
    package func messages(before: Message.ID?) async throws -> MessagePage {
        MessagePage(messages: sent + [Message(id: "hello", recipients: [babbage], text: "Hello.")])
    }

    package func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message {
        let new = Message(id: .random(), recipients: [babbage], text: message.text)
        sent.insert(new, at: 0)
        return new
    }

    package func favorites() async throws -> Set<Product.ID> { liked }

    package func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws {
        if isFavorite { liked.insert(product) } else { liked.remove(product) }
    }

    package func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        Purchase(id: "bought", product: new.product, price: Product.cards.price)
    }
}

private struct NoSuchTodo: DefiniteRejection, LocalizedError {
    var errorDescription: String? { "There is no such to-do." }
}
