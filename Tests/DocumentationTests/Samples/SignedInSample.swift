// The samples of Sources/Backplane/Backplane.docc/SignedInFeatures.md, with tests.

import Backplane
import Testing

enum SignedInSample {
    enum SignIn: BoardContract {
        enum Output {
            case signedIn(Account)
            case forgotPassword
        }
    }

    enum Session: BoardContract {
        typealias Input = Account
        typealias Command = SignOut
    }

    enum SignOut { case now }

    enum Home: BoardContract {}

    enum Lesson: BoardContract { typealias Input = String }
}

extension SignedInSample {
    struct Tile: Equatable {
        let title: String
    }
}

extension ContributionPoint<SignedInSample.Tile> {
    fileprivate static var homeTiles: Self { "homeTiles" }
}

extension SignedInSample {
    final class Account {
        let name: String

        init(name: String) {
            self.name = name
        }
    }

    struct SignInBoard: Board {
        let slot: Slot<SignIn>

        func activate(with input: Void) {}

        func submit(name: String) {
            send(.signedIn(Account(name: name)))
            complete()
        }

        func giveUp() {
            complete(.cancelled)
        }
    }

    struct LessonBoard: Board {
        let slot: Slot<Lesson>
        let account: Account
        let screen: Screen

        func activate(with id: String) {
            screen.title = "\(id) for \(account.name)"
        }
    }

    struct HomeBoard: Board {
        let slot: Slot<Home>
        let account: Account

        func activate(with input: Void) {}
    }

    final class Screen {
        var title = ""
    }

    struct LessonModule: BoardModule {
        let account: Account
        let screen: Screen

        func register(on motherboard: Motherboard) {
            motherboard.register { slot in LessonBoard(slot: slot, account: account, screen: screen) }
            motherboard.contribute(to: .homeTiles, order: 10) { Tile(title: "Lessons of \(account.name)") }
        }
    }

    struct HomeModule: BoardModule {
        let account: Account

        func register(on motherboard: Motherboard) {
            motherboard.register { slot in HomeBoard(slot: slot, account: account) }
        }
    }

    final class SessionBoard: Board {
        let slot: Slot<Session>

        init(slot: Slot<Session>, account: Account, screen: Screen) {
            self.slot = slot
            inner.install(
                HomeModule(account: account),
                LessonModule(account: account, screen: screen)
            )
        }

        func activate(with account: Account) {
            inner.activate(Home.id)
        }

        func receive(_ command: SignOut) {
            complete()
        }
    }

    struct AppModule: BoardModule {
        let screen: Screen

        func register(on motherboard: Motherboard) {
            motherboard.register { slot in SignInBoard(slot: slot) }
            motherboard.register { slot, account in SessionBoard(slot: slot, account: account, screen: screen) }
            motherboard.registerScope(Session.id, enteredBy: SignIn.id) { output in
                if case .signedIn(let account) = output { account } else { nil }
            }
            motherboard.declare(Home.id, Lesson.id, inside: Session.id)
            motherboard.registerLink("lesson/{id}", to: Lesson.id)
        }
    }
}

@MainActor struct SignedInSampleTests {
    private typealias Account = SignedInSample.Account
    private typealias Home = SignedInSample.Home
    private typealias Lesson = SignedInSample.Lesson
    private typealias SignIn = SignedInSample.SignIn
    private typealias Session = SignedInSample.Session

    private let motherboard = Motherboard.onMain()
    private let screen = SignedInSample.Screen()
    private let form = Form()

    private final class Form {
        var board: SignedInSample.SignInBoard?
    }

    init() {
        motherboard.install(SignedInSample.AppModule(screen: screen))
        motherboard.register(replacing: true) { [form] slot in
            let board = SignedInSample.SignInBoard(slot: slot)
            form.board = board
            return board
        }
    }

    @Test func `a link waits for the session`() {
        let form = form
        let lesson = motherboard.open("/lesson/abc123")
        #expect(lesson == .waiting)
        form.board?.submit(name: "Ada")
        #expect(lesson == .opened)
        #expect(screen.title == "abc123 for Ada")
    }

    @Test func `a cancelled login denies the activation`() {
        let lesson = motherboard.activate(Lesson.id, with: "abc123")
        form.board?.giveUp()
        let denial = Denial(of: Session.id, by: SignIn.id, .gateCancelled)
        #expect(lesson.state == .denied(Denial(of: Lesson.id, by: Session.id, .gateDenied(denial))))
    }

    @Test func `signing out ends all boards of the session, and the next user has a new session`() {
        let lesson = motherboard.activate(Lesson.id, with: "abc123")
        form.board?.submit(name: "Ada")
        motherboard.send(.now, to: Session.id)
        #expect(lesson.state == .completed)
        #expect(motherboard.activate(Home.id).state == .waiting)
        form.board?.submit(name: "Eve")
        motherboard.activate(Lesson.id, with: "abc123")
        #expect(screen.title == "abc123 for Eve")
    }

    @Test func `contributions exist only during the session`() {
        #expect(motherboard.contributions(to: .homeTiles).isEmpty)
        motherboard.activate(Session.id, with: Account(name: "Ada"))
        #expect(motherboard.contributions(to: .homeTiles).map(\.title) == ["Lessons of Ada"])
        motherboard.complete(Session.id)
        #expect(motherboard.contributions(to: .homeTiles).isEmpty)
    }

    @Test func `a snapshot is restored only inside an entered session`() {
        motherboard.activate(Session.id, with: Account(name: "Ada"))
        motherboard.activate(Lesson.id, with: "abc123")
        let (snapshot, account) = (motherboard.snapshot(), Account(name: "Ada"))
        motherboard.complete(Session.id)
        screen.title = ""
        var missing = motherboard.restore(snapshot)
        #expect(missing.first?.obstacle == .scopeNotEntered)
        motherboard.activate(Session.id, with: account)
        missing = motherboard.restore(snapshot)
        #expect(missing.isEmpty)
        #expect(screen.title == "abc123 for Ada")
    }
}

// The check in Sources/Backplane/Backplane.docc/StructuringAnApp.md.
@MainActor struct SessionGraphSampleTests {
    private typealias Account = SignedInSample.Account
    private typealias AppModule = SignedInSample.AppModule
    private typealias Screen = SignedInSample.Screen
    private typealias Session = SignedInSample.Session

    @MainActor @Test func `every board of the session is registered`() {
        let motherboard = Motherboard()
        motherboard.install(AppModule(screen: Screen()))
        motherboard.activate(Session.id, with: Account(name: "Ada"))

        #expect(motherboard.graph().unregistered == [])
    }
}

// MARK: A nested scope

extension SignedInSample {
    enum Organizations: BoardContract { typealias Output = String }
    enum Organization: BoardContract { typealias Input = String }
    enum Project: BoardContract { typealias Input = Int }
}

@MainActor struct NestedScopeSampleTests {
    private typealias SignIn = SignedInSample.SignIn
    private typealias Organization = SignedInSample.Organization
    private typealias Organizations = SignedInSample.Organizations
    private typealias Project = SignedInSample.Project
    private typealias Session = SignedInSample.Session

    private final class Opened {
        var projects: [String] = []
    }

    private struct OrganizationsBoard: Board {
        let slot: Slot<Organizations>

        func activate(with input: Void) { send("Acme") }
    }

    private struct OrganizationBoard: Board {
        let slot: Slot<Organization>

        init(slot: Slot<Organization>, name: String, opened: Opened) {
            self.slot = slot
            inner.register { slot in ProjectBoard(slot: slot, name: name, opened: opened) }
        }

        func activate(with name: String) {}
    }

    private struct ProjectBoard: Board {
        let slot: Slot<Project>
        let name: String
        let opened: Opened

        func activate(with number: Int) { opened.projects.append("\(name) \(number)") }
    }

    private struct SessionBoard: Board {
        let slot: Slot<Session>

        init(slot: Slot<Session>, opened: Opened) {
            self.slot = slot
            inner.register { slot in OrganizationsBoard(slot: slot) }
            inner.register { slot, name in OrganizationBoard(slot: slot, name: name, opened: opened) }
        }

        func activate(with account: SignedInSample.Account) {}
        func receive(_ command: SignedInSample.SignOut) {}
    }

    @Test func `a link leads through two scopes`() {
        let (motherboard, opened) = (Motherboard.onMain(), Opened())
        motherboard.register { slot in SignedInSample.SignInBoard(slot: slot) }
        motherboard.register { slot, _ in SessionBoard(slot: slot, opened: opened) }
        motherboard.registerScope(Session.id, enteredBy: SignIn.id) { output in
            if case .signedIn(let account) = output { account } else { nil }
        }
        motherboard.registerScope(Organization.id, enteredBy: Organizations.id, switching: true) { $0 }
        motherboard.declare(Organizations.id, Organization.id, inside: Session.id)
        motherboard.declare(Project.id, inside: Organization.id)
        motherboard.registerLink("project/{number}", to: Project.id)
        let link = motherboard.open("/project/7")
        #expect(link == .waiting)
        motherboard.activate(Session.id, with: SignedInSample.Account(name: "Ada"))
        #expect(link == .opened)
        #expect(opened.projects == ["Acme 7"])
    }
}
