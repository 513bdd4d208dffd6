// The samples of Gates.md and GatesReference.md, with tests.

import Backplane
import BackplaneTesting
import Testing

struct CourseID: RawRepresentable, Hashable, LinkParameter {
    let rawValue: String
}

struct Seat: Equatable {
    let course: CourseID
    let price: Int
}

enum CoursePage: BoardContract {
    typealias Input = CourseID
    enum Output { case finished(CourseID) }
}

enum Enrollment: BoardContract { typealias Input = Seat }

enum Help: BoardContract {}

enum SignIn: BoardContract {
    enum Output { case signedIn, wrongPassword, gaveUp }
}

enum Confirm: BoardContract {
    typealias Input = String
    typealias Output = Bool
}

enum Notice: BoardContract { typealias Input = String }

@MainActor final class Banner {
    var text = ""
}

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
        motherboard.register { slot in CourseBoard(slot: slot, show: show) }
        motherboard.registerLink("course/{id}", to: CoursePage.id)
        motherboard.gate(CoursePage.id, by: SignIn.id) { output in
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

@MainActor func denial(of course: CourseID, on motherboard: Motherboard) async throws -> Denial? {
    do {
        _ = try await motherboard.result(of: CoursePage.id, with: course)
        return nil
    } catch let error as BoardError where error.code == .denied {
        return error.denial
    }
}

@MainActor private func outcome(of id: CourseID, on motherboard: Motherboard) async -> String {
    let course = motherboard.activate(CoursePage.id, with: id)
    switch await course.settled() {
    case .active: return "entered"
    case .denied(let denial): return "denied: \(denial.reason)"
    default: return "left"
    }
}

@MainActor final class GatesSample {
    private let motherboard = Motherboard.onMain()
    private let session = Session()
    private var form: SignInBoard?
    private var forms = 0
    private var shown: [String] = []
    private let confirm: TestBoard<Confirm>
    private let chemistry = CourseID(rawValue: "chemistry")

    init() {
        confirm = TestBoard(Confirm.id, on: motherboard)
        motherboard.register { [unowned self] slot in
            SignInBoard(slot: slot, session: session) { [unowned self] board in
                form = board
                forms += 1
            }
        }
        TestBoard(Help.id, on: motherboard)
        TestBoard(Enrollment.id, on: motherboard)
    }

    private func installCourses() {
        motherboard.install(CourseModule { [unowned self] in shown.append($0.rawValue) })
    }

    @Test func `an activation waits at a gate and enters the board when the gate opens`() {
        installCourses()
        let course = motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        #expect(course.state == .waiting)
        form?.submit(password: "sesame")
        #expect(course.state == .waiting)
        form?.submit(password: "swordfish")
        #expect(course.state == .active)
        #expect(shown == ["abc123"])
    }

    @Test func `a gate with a known answer does not activate its board`() {
        var flows = 0
        motherboard.registerFlow(from: SignIn.id) { _, _ in flows += 1 }
        let session = session
        motherboard.gate(
            Help.id,
            by: SignIn.id,
            unless: { session.isSignedIn },
            verdict: { output in
                switch output {
                case .signedIn: .open
                case .wrongPassword: .undecided
                case .gaveUp: .closed
                }
            }
        )
        #expect(motherboard.activate(Help.id).state == .waiting)
        form?.submit(password: "swordfish")
        #expect(flows == 1)
        #expect(motherboard.activate(Help.id).state == .active)
        #expect(flows == 1)
    }

    private func gateEnrollment() {
        motherboard.gate(Enrollment.id, by: SignIn.id) { output in
            switch output {
            case .signedIn: .open
            case .wrongPassword: .undecided
            case .gaveUp: .closed
            }
        }
        motherboard.gate(
            Enrollment.id,
            by: Confirm.id,
            asking: { seat in seat.price > 0 ? "Pay \(seat.price) euros for \(seat.course.rawValue)?" : nil },
            verdict: { isConfirmed in isConfirmed ? .open : .closed }
        )
    }

    @Test func `two gates are asked in order, and the second asks about the input`() {
        gateEnrollment()
        let seat = motherboard.activate(Enrollment.id, with: Seat(course: chemistry, price: 90))
        form?.submit(password: "swordfish")
        #expect(confirm.inputs == ["Pay 90 euros for chemistry?"])  // asked after the sign-in
        confirm.send(true)
        #expect(seat.state == .active)

        let free = motherboard.activate(Enrollment.id, with: Seat(course: chemistry, price: 0))
        #expect(free.state == .active)  // already signed in, and nothing to confirm
        #expect(confirm.inputs.count == 1)
    }

    @Test func `a replaced gate keeps its position`() {
        installCourses()
        session.isSignedIn = true
        let session = session
        motherboard.gate(
            CoursePage.id,
            by: SignIn.id,
            unless: { session.isSignedIn },
            replacing: true,
            verdict: { output in
                if case .signedIn = output { .open } else { .undecided }
            }
        )
        #expect(motherboard.activate(CoursePage.id, with: chemistry).state == .active)
        #expect(!motherboard.isLive(SignIn.id))
    }

    @Test func `waiting activations share one question and enter in order`() {
        installCourses()
        motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        motherboard.activate(CoursePage.id, with: CourseID(rawValue: "xyz789"))
        #expect(forms == 1)
        form?.submit(password: "swordfish")
        #expect(shown == ["abc123", "xyz789"])
    }

    @Test func `cancelling a waiting activation also cancels its gate board`() {
        installCourses()
        let course = motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        course.complete()
        #expect(course.completion?.isCancelled == true)
        #expect(!motherboard.isLive(SignIn.id))
        #expect(shown.isEmpty)
    }

    @Test func `a general gate applies to every board but its exceptions`() {
        motherboard.register { [unowned self] slot in
            CourseBoard(slot: slot) { [unowned self] in shown.append($0.rawValue) }
        }
        motherboard.gateAll(by: SignIn.id, except: Help.id) { output in
            switch output {
            case .signedIn: .open
            case .wrongPassword: .undecided
            case .gaveUp: .closed
            }
        }
        #expect(motherboard.activate(Help.id).state == .active)
        #expect(motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123")).state == .waiting)
        #expect(motherboard.activate(SignIn.id).state == .active)
    }

    @Test func `a cycle of gates denies the activation and names the cycle`() {
        installCourses()
        motherboard.gate(SignIn.id, by: Confirm.id, with: "Accept the terms?") { $0 ? .open : .closed }
        motherboard.gate(Confirm.id, by: SignIn.id) { _ in .open }

        let course = motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        let cycle = [AnyBoardID(SignIn.id), AnyBoardID(Confirm.id), AnyBoardID(SignIn.id)]
        #expect(course.state == .denied(Denial(of: CoursePage.id, by: SignIn.id, .cycle(cycle))))
    }

    @Test func `a link waits at the gate and then opens its target`() {
        installCourses()
        motherboard.allowLinks(schemes: ["myapp"])

        #expect(motherboard.open("myapp://course/abc123") == .waiting)
        form?.submit(password: "swordfish")
        #expect(shown == ["abc123"])
        #expect(motherboard.open("myapp://course/xyz789") == .opened)
    }

    @Test func `awaiting the result of a denied board throws the denial`() async throws {
        installCourses()
        motherboard.register(replacing: true) { [session] slot in
            SignInBoard(slot: slot, session: session) { board in board.giveUp() }
        }
        let denial = try await denial(of: CourseID(rawValue: "abc123"), on: motherboard)
        #expect(denial?.reason == .closed)
    }

    @Test func `the end of a wait at a gate can be awaited`() async {
        installCourses()
        let entering = Task { await outcome(of: chemistry, on: motherboard) }
        while form == nil { await Task.yield() }
        form?.submit(password: "swordfish")
        #expect(await entering.value == "entered")
    }

    @Test func `a denial flow handles denials as long as its weak target lives`() {
        installCourses()
        var banner: Banner? = Banner()
        let text = { [weak banner] in banner?.text }
        register(banner)
        motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        form?.giveUp()
        #expect(text() == "coursePage needs signIn.")
        banner = nil
        motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        form?.giveUp()
        #expect(text() == nil)
    }

    private func register(_ banner: Banner?) {
        guard let banner else { return }
        motherboard.registerDenialFlow(weak: banner) { banner, denial in
            banner.text = "\(denial.board) needs \(denial.gate)."
        }
    }

    @Test func `a denial flow also handles denials of links`() {
        installCourses()
        let notice = TestBoard(Notice.id, on: motherboard)
        motherboard.registerDenialFlow { denial, motherboard in
            motherboard.activate(Notice.id, with: "\(denial.board) needs \(denial.gate).")
        }
        let opening = motherboard.open("/course/abc123")
        form?.giveUp()
        #expect(opening == .denied(Denial(of: CoursePage.id, by: SignIn.id, .closed)))
        #expect(notice.inputs == ["coursePage needs signIn."])
    }

    @Test func `nested motherboards share the board of an outer gate`() {
        motherboard.register(reuse: .perActivation) { [unowned self] slot in
            CourseBoard(slot: slot) { [unowned self] in shown.append($0.rawValue) }
        }
        motherboard.gate(CoursePage.id, by: SignIn.id) { output in
            if case .signedIn = output { .open } else { .undecided }
        }
        let help = TestBoard(Help.id, on: motherboard)
        motherboard.activate(Help.id)
        let inner = help.slot?.inner

        let outside = motherboard.activate(CoursePage.id, with: CourseID(rawValue: "abc123"))
        let inside = inner?.activate(CoursePage.id, with: CourseID(rawValue: "xyz789"))
        #expect(forms == 1)
        form?.submit(password: "swordfish")
        #expect(outside.state == .active)
        #expect(inside?.state == .active)
        #expect(shown == ["abc123", "xyz789"])
    }
}
