import BackplaneFeatures
import BackplaneTesting
import CampusModels
import Foundation
import Screens

/// The server that the features of a test ask.
@MainActor
final class FakeServer {
    var user: User.ID?
    var courses = [Course(id: "abc123", title: "Engines", summary: "")]
    var contacts = [
        Contact(id: "babbage", name: "Charles Babbage", role: .tutor),
        Contact(id: "grace", name: "Grace Hopper", role: .student),
    ]
    let products = [Product(id: "cards", title: "Punched Cards", description: "Blank.", price: Price(cents: 495))]
    var messages: [Message] = []
    var openTodos = 1
    var sessions = ["here", "there", "elsewhere"].map { FakeServer.session(UserSession.ID(rawValue: $0)) }
    var userName = "Ada"

    /// Whether it refuses to answer about schedules, to take messages; whether it takes them and does not say so.
    var isScheduleBroken = false
    var isMailBroken = false
    var isMailLost = false
    var isUserBroken = false
    var areSessionsBroken = false

    /// What holds its answers about to-dos, about products, to messages, to a log-out; nil when nothing does.
    var todosGate: AsyncGate?
    var mailGate: AsyncGate?
    var productGate: AsyncGate?
    var logOutGate: AsyncGate?

    private(set) var userRequests = 0
    private(set) var mailKeys: [IdempotencyKey] = []
    private(set) var refusals = 0
    private(set) var logOuts = 0
    private(set) var productRequests = 0
    private(set) var cancelledProductRequests = 0

    func currentUser() -> User.ID? {
        userRequests += 1
        return user
    }

    func logIn(with request: LoginRequest) throws -> User.ID {
        guard request.password == "right" else {
            refusals += 1
            throw DisplayError("Wrong.")
        }
        user = "ada"
        return "ada"
    }

    func logOut() async throws {
        logOuts += 1
        await logOutGate?.wait()
        user = nil
    }

    func sync() throws -> User {
        if isUserBroken { throw DisplayError("No answer.") }
        return User(id: "ada", name: userName, email: "ada@campus.example")
    }

    func listSessions() throws -> [UserSession] {
        if areSessionsBroken { throw DisplayError("No list.") }
        return sessions
    }

    func endSession(_ id: UserSession.ID) throws {
        guard sessions.contains(where: { $0.id == id }) else { throw DisplayError("There is no such session.") }
        sessions.removeAll { $0.id == id }
    }

    func endOtherSessions() {
        sessions.removeAll { !$0.isCurrent }
    }

    private static func session(_ id: UserSession.ID) -> UserSession {
        let moment = Timestamp(Date(timeIntervalSince1970: 0))
        return UserSession(
            id: id,
            label: id == "elsewhere" ? nil : "Firefox on Linux",
            begunAt: moment,
            refreshedAt: moment,
            isCurrent: id == "here"
        )
    }

    func schedule(of course: Course.ID) throws -> [ScheduleItem] {
        if isScheduleBroken { throw DisplayError("Broken.") }
        guard let starts = TimeOfDay("09:30"), let ends = TimeOfDay("11:00") else { return [] }
        return [ScheduleItem(id: "l", title: "Lecture", day: .monday, starts: starts, ends: ends, room: "Hall 1")]
    }

    func todos(of course: Course.ID) async throws -> [Todo] {
        await todosGate?.wait()
        return (0...openTodos).map {
            Todo(id: Todo.ID(rawValue: "\($0)"), title: "Draw", isDone: $0 == openTodos, rev: 0)
        }
    }

    func send(_ message: NewMessage, key: IdempotencyKey) async throws {
        let isFirst = !mailKeys.contains(key)
        mailKeys.append(key)
        await mailGate?.wait()
        if isMailBroken { throw DisplayError("The post is on strike.", isRejection: true) }
        if isFirst {
            let id = Message.ID(rawValue: "\(messages.count)")
            let recipients = contacts.filter { message.recipients.contains($0.id) }
            messages.insert(Message(id: id, recipients: recipients, text: message.text), at: 0)
        }
        if isMailLost { throw DisplayError("No answer.") }
    }

    func product(_ id: Product.ID) async throws -> Product {
        productRequests += 1
        await productGate?.wait()
        if Task.isCancelled { cancelledProductRequests += 1 }
        guard let product = products.first(where: { $0.id == id }) else {
            throw DisplayError("There is no such thing.")
        }
        return product
    }
}
