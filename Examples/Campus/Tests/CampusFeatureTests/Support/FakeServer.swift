import BackplaneFeatures
import BackplaneTesting
import CampusModels
import Foundation
import Screens

/// A fake of the server behind the features.
@MainActor
final class FakeServer {
    /// The user who is signed in, if any.
    var user: User.ID?
    /// The account that was returned last, while the account exists.
    private(set) weak var account: FakeAccount?
    /// The notice on the login form.
    var notice: String?
    var courses = [Course(id: "abc123", title: "Engines", summary: "")]
    var contacts = [
        Contact(id: "babbage", name: "Charles Babbage", role: .tutor),
        Contact(id: "grace", name: "Grace Hopper", role: .student),
    ]
    let products = [
        Product(id: "cards", title: "Punched Cards", description: "Blank.", price: Price(cents: 495)),
        Product(id: "engine", title: "Engine", description: "Complete.", price: Price(cents: 1501)),
        Product(id: "loom", title: "Loom", description: "Wooden.", price: Price(cents: 9900)),
    ]
    var messages: [Message] = []
    var openTodos = 1 {
        didSet { todos = FakeServer.todos(open: openTodos) }
    }
    private(set) var todos = FakeServer.todos(open: 1)
    var sessions = ["here", "there", "elsewhere"].map { FakeServer.session(DeviceSession.ID(rawValue: $0)) }
    var userName = "Ada"
    /// The user as last loaded.
    private(set) var knownUser = User(id: "ada", name: "Ada", email: "ada@campus.example")
    /// The number of times that the user was loaded.
    private(set) var loads = 0

    /// Whether requests fail; a lost message is stored, but its response is an error.
    var isScheduleBroken = false
    var isMailBroken = false
    var isMailLost = false
    var areMessagesBroken = false
    var isUserBroken = false
    var areSessionsBroken = false

    /// The latches that delay requests; `nil` if nothing delays them.
    var scheduleLatch: AsyncLatch?
    var todosLatch: AsyncLatch?
    var mailLatch: AsyncLatch?
    var productLatch: AsyncLatch?
    var signInLatch: AsyncLatch?
    var signOutLatch: AsyncLatch?
    /// The latch that delays purchases before they are made; `nil` if nothing delays them.
    var purchaseLatch: AsyncLatch?

    /// The latch that delays changes of to-dos before they are made; `nil` if nothing delays them.
    var changeLatch: AsyncLatch?
    /// The errors of the next changes.
    ///
    /// A rejection prevents its change. Any other error is thrown after the change is made.
    var changeErrors: [any Error] = []
    /// The keys of the requested changes, in order.
    private(set) var changeKeys: [IdempotencyKey] = []
    private(set) var todoRequests = 0

    private(set) var favorites: Set<Product.ID> = []
    /// The latch that delays changes of favorites; `nil` if nothing delays them.
    var favoriteLatch: AsyncLatch?
    /// The errors of the next changes of favorites, which are not made.
    var favoriteRefusals: [any Error] = []
    /// The errors of the next purchases.
    ///
    /// A rejection prevents its purchase. Any other error is thrown after the purchase is made.
    var purchaseErrors: [any Error] = []
    /// The purchases by their keys.
    private(set) var purchases: [IdempotencyKey: Purchase] = [:]
    private(set) var purchaseKeys: Set<IdempotencyKey> = []

    private(set) var userRequests = 0
    private(set) var mailKeys: [IdempotencyKey] = []
    private var mail: [IdempotencyKey: Message] = [:]
    private(set) var refusals = 0
    private(set) var signOuts = 0
    private(set) var productRequests = 0
    private(set) var cancelledProductRequests = 0

    func currentAccount() -> FakeAccount? {
        userRequests += 1
        return user.map(makeAccount)
    }

    private func makeAccount(of user: User.ID) -> FakeAccount {
        let made = FakeAccount(user: user, server: self)
        account = made
        return made
    }

    func signIn(with request: LoginRequest) async throws -> FakeAccount {
        await signInLatch?.wait()
        try check(request.password)
        user = "ada"
        return makeAccount(of: "ada")
    }

    func check(_ password: String) throws {
        guard password == "right" else {
            refusals += 1
            throw DisplayError("Wrong.")
        }
    }

    /// Signs the user out, and returns whether a user was signed in.
    func signOut() -> Bool {
        guard user != nil else { return false }
        user = nil
        signOuts += 1
        return true
    }

    func sync() throws -> User {
        if isUserBroken { throw DisplayError("No answer.") }
        loads += 1
        knownUser = User(id: "ada", name: userName, email: "ada@campus.example")
        return knownUser
    }

    func listSessions() throws -> [DeviceSession] {
        if areSessionsBroken { throw DisplayError("No list.") }
        return sessions
    }

    func endSession(_ id: DeviceSession.ID) throws {
        guard sessions.contains(where: { $0.id == id }) else { throw DisplayError("There is no such session.") }
        sessions.removeAll { $0.id == id }
    }

    func endOtherSessions() {
        sessions.removeAll { !$0.isCurrent }
    }

    private static func session(_ id: DeviceSession.ID) -> DeviceSession {
        let moment = Timestamp(Date(timeIntervalSince1970: 0))
        return DeviceSession(
            id: id,
            label: id == "elsewhere" ? nil : "Firefox on Linux",
            begunAt: moment,
            refreshedAt: moment,
            isCurrent: id == "here"
        )
    }

    func schedule(of course: Course.ID) async throws -> [ScheduleItem] {
        await scheduleLatch?.wait()
        if isScheduleBroken { throw DisplayError("Broken.") }
        guard let starts = TimeOfDay("09:30"), let ends = TimeOfDay("11:00") else { return [] }
        return [ScheduleItem(id: "l", title: "Lecture", day: .monday, starts: starts, ends: ends, room: "Hall 1")]
    }

    func todos(of course: Course.ID) async throws -> [Todo] {
        todoRequests += 1
        await todosLatch?.wait()
        return todos
    }

    /// Makes the change once for each key.
    func change(_ todo: Todo.ID, to change: TodoChange, key: IdempotencyKey) async throws -> Todo {
        let isNew = !changeKeys.contains(key)
        changeKeys.append(key)
        await changeLatch?.wait()
        let error = changeErrors.isEmpty ? nil : changeErrors.removeFirst()
        if let error, isRefusal(error) { throw error }
        if isNew, let index = todos.firstIndex(where: { $0.id == todo }) {
            todos[index].isDone = change.isDone
            todos[index].rev += 1
        }
        if let error { throw error }
        guard let changed = todos.first(where: { $0.id == todo }) else {
            throw refusal("There is no such to-do.")
        }
        return changed
    }

    private static func todos(open count: Int) -> [Todo] {
        (0...count).map { Todo(id: Todo.ID(rawValue: "\($0)"), title: "Draw", isDone: $0 == count, rev: 0) }
    }

    func listMessages(before: Message.ID?) throws -> MessagePage {
        if areMessagesBroken { throw DisplayError("No list.") }
        let start = before.flatMap { id in messages.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
        let page = Array(messages[start...].prefix(MessagePage.standardLimit))
        return MessagePage(messages: page, next: start + page.count < messages.count ? page.last?.id : nil)
    }

    /// Sends the message once for each key.
    func send(_ message: NewMessage, key: IdempotencyKey) async throws -> Message {
        mailKeys.append(key)
        await mailLatch?.wait()
        if isMailBroken { throw refusal("The post is on strike.") }
        let recipients = contacts.filter { message.recipients.contains($0.id) }
        let id = Message.ID(rawValue: "\(messages.count)")
        let sent = mail[key] ?? Message(id: id, recipients: recipients, text: message.text)
        if mail.updateValue(sent, forKey: key) == nil { messages.insert(sent, at: 0) }
        if isMailLost { throw DisplayError("No answer.") }
        return sent
    }

    func product(_ id: Product.ID) async throws -> Product {
        productRequests += 1
        await productLatch?.wait()
        if Task.isCancelled { cancelledProductRequests += 1 }
        guard let product = products.first(where: { $0.id == id }) else {
            throw missing("There is no such thing.")
        }
        return product
    }

    func setFavorite(_ product: Product.ID, to isFavorite: Bool) async throws {
        await favoriteLatch?.wait()
        if !favoriteRefusals.isEmpty { throw favoriteRefusals.removeFirst() }
        if isFavorite { favorites.insert(product) } else { favorites.remove(product) }
    }

    /// Makes the purchase once for each key.
    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        purchaseKeys.insert(key)
        await purchaseLatch?.wait()
        let error = purchaseErrors.isEmpty ? nil : purchaseErrors.removeFirst()
        if let error, isRefusal(error) { throw error }
        let purchase =
            purchases[key]
            ?? Purchase(id: Purchase.ID(rawValue: "\(purchases.count)"), product: new.product, price: Price(cents: 495))
        purchases[key] = purchase
        if let error { throw error }
        return purchase
    }
}
