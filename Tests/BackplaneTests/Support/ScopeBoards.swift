import Backplane

/// The signed-in user of a session.
final class Account {
    let name: String

    init(_ name: String) {
        self.name = name
    }
}

/// A sign-in that the user may abandon.
enum SignIn: BoardContract {
    enum Output {
        case signedIn(Account)
        case forgotPassword

        var account: Account? { if case .signedIn(let account) = self { account } else { nil } }
    }
}

/// A scope for a signed-in user.
enum UserSession: BoardContract {
    typealias Input = Account
    typealias Output = String
}

/// A choice among several organizations.
enum Picker: BoardContract {
    typealias Output = String
}

/// A scope for one organization of the user.
enum Organization: BoardContract {
    typealias Input = String
}

extension BoardID<SignIn> {
    static var signIn: Self { "signIn" }
}

extension BoardID<UserSession> {
    static var session: Self { "session" }
}

extension BoardID<Picker> {
    static var picker: Self { "picker" }
}

extension BoardID<Organization> {
    static var organization: Self { "organization" }
}

extension BoardID<Numbers> {
    static var course: Self { "course" }
    static var project: Self { "project" }
}

/// A motherboard with a scope for signed-in users and, inside it, a scope for an organization.
///
/// The journal notes each board with its user: `ada/course 7`.
final class Campus {
    let motherboard: Motherboard
    let journal = Journal()
    let signIns = Asked<SignIn>()
    let pickers = Asked<Picker>()
    private(set) var sessions: [ProbeBoard<UserSession>] = []
    private(set) var courses: [ProbeBoard<Numbers>] = []
    /// An action of the session board at its activation, after its registrations.
    var onSession: (ProbeBoard<UserSession>, Account) -> Void = { _, _ in }

    init(_ motherboard: Motherboard) {
        self.motherboard = motherboard
        motherboard.probe(.signIn, notedIn: signIns)
        motherboard.register(.session) { [unowned self] slot, account in makeSession(slot, account) }
        motherboard.registerScope(.session, enteredBy: .signIn) { $0.account }
        motherboard.declare(.course, .picker, .organization, inside: .session)
        motherboard.declare(.project, inside: .organization)
    }

    /// Signs a user in at the sign-in that was activated last.
    func signIn(_ name: String) {
        signIns.boards.last?.send(.signedIn(Account(name)))
    }

    func pick(_ name: String) {
        pickers.boards.last?.send(name)
    }

    /// Releases the noted boards.
    func forget() {
        sessions = []
        courses = []
        signIns.forget()
        pickers.forget()
    }

    private func makeSession(_ slot: Slot<UserSession>, _ account: Account) -> ProbeBoard<UserSession> {
        let board = ProbeBoard(slot: slot) { [unowned self] board, account in
            journal.note("session of \(account.name)")
            install(on: board.inner, for: account)
            onSession(board, account)
        }
        sessions.append(board)
        return board
    }

    private func install(on inner: Motherboard, for account: Account) {
        inner.probe(.course) { [unowned self] board, number in
            courses.append(board)
            journal.note("\(account.name)/course \(number)")
        }
        inner.probe(.picker, notedIn: pickers)
        inner.probe(.organization) { [journal] board, name in
            journal.note("\(account.name)/\(name)")
            board.inner.probe(.project) { _, number in journal.note("\(account.name)/\(name)/project \(number)") }
        }
        inner.registerScope(.organization, enteredBy: .picker) { $0 }
    }
}
