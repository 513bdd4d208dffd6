// Sources/Backplane/Backplane.docc/Gates.md, and tests of what it says.

import Backplane
import Testing

struct CourseID: RawRepresentable, LinkParameter {
    let rawValue: String
}

enum CoursePage: BoardContract {
    typealias Input = CourseID
    enum Output { case finished(CourseID) }
}

enum Help: BoardContract {}

enum SignIn: BoardContract {
    enum Output { case signedIn, wrongPassword, gaveUp }
}

extension BoardID<CoursePage> { static var course: Self { "course" } }
extension BoardID<Help> { static var help: Self { "help" } }
extension BoardID<SignIn> { static var signIn: Self { "sign-in" } }

@MainActor final class Session {
    var isSignedIn = false
}

@MainActor final class SignInBoard: Board {
    let slot: Slot<SignIn>
    private let session: Session
    private let showForm: (SignInBoard) -> Void

    init(slot: Slot<SignIn>, session: Session, showForm: @escaping (SignInBoard) -> Void) {
        self.slot = slot
        self.session = session
        self.showForm = showForm
    }

    func activate(with input: Void) {
        if session.isSignedIn { finish() } else { showForm(self) }
    }

    func submit(password: String) {
        guard password == "swordfish" else { return send(.wrongPassword) }
        session.isSignedIn = true
        finish()
    }

    func giveUp() {
        complete(.cancelled, sending: .gaveUp)
    }

    private func finish() {
        complete(sending: .signedIn)
    }
}

@MainActor struct CourseModule: BoardModule {
    let show: (CourseID) -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register(.course) { slot in CourseBoard(slot: slot, show: show) }
        motherboard.registerLink("course/{id}", to: .course)
        motherboard.gate(.course, by: .signIn) { output in
            switch output {
            case .signedIn: .open
            case .wrongPassword: .undecided
            case .gaveUp: .closed
            }
        }
    }
}

@MainActor struct CourseBoard: Board {
    let slot: Slot<CoursePage>
    let show: (CourseID) -> Void

    func activate(with id: CourseID) { show(id) }
}

@MainActor final class HelpBoard: Board {
    let slot: Slot<Help>

    init(slot: Slot<Help>) { self.slot = slot }

    func activate(with input: Void) {}
}

@MainActor func denial(of course: CourseID, on motherboard: Motherboard) async throws -> Denial? {
    do {
        _ = try await motherboard.result(of: .course, with: course)
        return nil
    } catch let error as BoardError where error.code == .denied {
        return error.denial
    }
}

@MainActor final class GatesSample {
    private let motherboard = Motherboard.onMain()
    private let session = Session()
    private var form: SignInBoard?
    private var forms = 0
    private var shown: [String] = []

    init() {
        motherboard.register(.signIn) { [unowned self] slot in
            SignInBoard(slot: slot, session: session) { [unowned self] board in
                form = board
                forms += 1
            }
        }
        motherboard.register(.help, HelpBoard.init)
    }

    private func installCourses() {
        motherboard.install(CourseModule { [unowned self] in shown.append($0.rawValue) })
    }

    @Test func `a board behind a gate waits, and enters when the gate opens`() {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        #expect(course.state == .waiting)
        form?.submit(password: "sesame")
        #expect(course.state == .waiting)
        form?.submit(password: "swordfish")
        #expect(course.state == .active)
        #expect(shown == ["abc123"])
    }

    @Test func `a gate that knows the answer opens before the call returns`() {
        installCourses()
        session.isSignedIn = true
        #expect(motherboard.activate(.course, with: CourseID(rawValue: "abc123")).state == .active)
        #expect(forms == 0)
    }

    @Test func `an activation that is denied says why`() {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        form?.giveUp()
        if case .denied(let denial) = course.state {
            #expect(denial.gate == .signIn)
            #expect(denial.reason == .closed)
        }
        #expect(course.state == .denied(Denial(of: .course, by: .signIn, .closed)))
        #expect(shown.isEmpty)
    }

    @Test(arguments: [
        (Completion.done, Denial.Reason.gateDone), (.cancelled, .gateCancelled),
        (.failed(CancellationError()), .gateFailed),
    ])
    func `a gate that ends without opening denies`(completion: Completion, reason: Denial.Reason) {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        motherboard.complete(.signIn, completion)
        #expect(course.state == .denied(Denial(of: .course, by: .signIn, reason)))
    }

    @Test func `activations that wait share one run of the gate and enter in order`() {
        installCourses()
        motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        motherboard.activate(.course, with: CourseID(rawValue: "xyz789"))
        #expect(forms == 1)
        form?.submit(password: "swordfish")
        #expect(shown == ["abc123", "xyz789"])
    }

    @Test func `who gives up waiting does not enter`() {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        course.complete(.cancelled)
        form?.submit(password: "swordfish")
        #expect(course.state == .completed)
        #expect(shown.isEmpty)
    }

    @Test func `one gate stands before every board but those excepted`() {
        motherboard.register(.course) { [unowned self] slot in
            CourseBoard(slot: slot) { [unowned self] in shown.append($0.rawValue) }
        }
        motherboard.gateAll(by: .signIn, except: .help) { output in
            switch output {
            case .signedIn: .open
            case .wrongPassword: .undecided
            case .gaveUp: .closed
            }
        }
        #expect(motherboard.activate(.help).state == .active)
        #expect(motherboard.activate(.course, with: CourseID(rawValue: "abc123")).state == .waiting)
        #expect(motherboard.activate(.signIn).state == .active)
    }

    @Test func `a link waits at the gate and then leads to its target`() {
        installCourses()
        motherboard.allowLinks(schemes: ["myapp"])

        #expect(motherboard.open("myapp://course/abc123") == .waiting)
        form?.submit(password: "swordfish")
        #expect(shown == ["abc123"])
        #expect(motherboard.open("myapp://course/xyz789") == .opened)
    }

    @Test func `who awaits a board that is denied is told so`() async throws {
        installCourses()
        motherboard.register(.signIn, replacing: true) { [session] slot in
            SignInBoard(slot: slot, session: session) { board in board.giveUp() }
        }
        let denial = try await denial(of: CourseID(rawValue: "abc123"), on: motherboard)
        #expect(denial?.reason == .closed)
    }

    @Test func `inside a board the gate is a board of that inside`() {
        installCourses()
        var heardOutside = 0
        motherboard.registerFlow(from: .signIn) { _, _ in heardOutside += 1 }
        var inside: Motherboard?
        motherboard.register(.help, replacing: true) { slot in
            inside = slot.inner
            return HelpBoard(slot: slot)
        }
        motherboard.activate(.help)
        let course = inside?.activate(.course, with: CourseID(rawValue: "abc123"))
        #expect(course?.state == .waiting)
        form?.submit(password: "swordfish")
        #expect(course?.state == .active)
        #expect(heardOutside == 0)
    }

    @Test func `a gate that asks different questions does not share its run`() {
        enum Confirm: BoardContract {
            typealias Input = String
            typealias Output = Bool
        }
        let confirm: BoardID<Confirm> = "confirm"
        final class ConfirmBoard: Board {
            let slot: Slot<Confirm>
            init(slot: Slot<Confirm>) { self.slot = slot }
            func activate(with question: String) {}
        }
        motherboard.register(confirm, ConfirmBoard.init)
        motherboard.register(.course) { slot in CourseBoard(slot: slot) { _ in } }
        motherboard.gate(.course, by: confirm, with: "Enrol?") { $0 ? .open : .closed }
        motherboard.gate(.help, by: confirm, with: "Call somebody?") { $0 ? .open : .closed }
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        let help = motherboard.activate(.help)
        #expect(course.state == .denied(Denial(of: .course, by: confirm, .gateSuperseded)))
        #expect(help.state == .waiting)
    }
}
