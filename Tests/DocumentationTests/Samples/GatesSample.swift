// The samples of Sources/Backplane/Backplane.docc/Gates.md, with tests.

import Backplane
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

extension BoardID<CoursePage> { static var course: Self { "course" } }
extension BoardID<Enrollment> { static var enrollment: Self { "enrollment" } }
extension BoardID<Help> { static var help: Self { "help" } }
extension BoardID<SignIn> { static var signIn: Self { "sign-in" } }
extension BoardID<Confirm> { static var confirm: Self { "confirm" } }
extension BoardID<Notice> { static var notice: Self { "notice" } }

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

/// A board that calls a closure on activation.
@MainActor private final class ClosureBoard<Contract: BoardContract>: Board where Contract.Command == Never {
    let slot: Slot<Contract>
    private let onActivate: (Slot<Contract>, Contract.Input) -> Void

    init(slot: Slot<Contract>, onActivate: @escaping (Slot<Contract>, Contract.Input) -> Void = { _, _ in }) {
        self.slot = slot
        self.onActivate = onActivate
    }

    func activate(with input: Contract.Input) { onActivate(slot, input) }
}

@MainActor func denial(of course: CourseID, on motherboard: Motherboard) async throws -> Denial? {
    do {
        _ = try await motherboard.result(of: .course, with: course)
        return nil
    } catch let error as BoardError where error.code == .denied {
        return error.denial
    }
}

@MainActor private func outcome(of id: CourseID, on motherboard: Motherboard) async -> String {
    let course = motherboard.activate(.course, with: id)
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
    private var questions: [String] = []
    private var answer: ((Bool) -> Void)?
    private let chemistry = CourseID(rawValue: "chemistry")

    init() {
        motherboard.register(.signIn) { [unowned self] slot in
            SignInBoard(slot: slot, session: session) { [unowned self] board in
                form = board
                forms += 1
            }
        }
        motherboard.register(.confirm) { [unowned self] slot in
            ClosureBoard(slot: slot) { [unowned self] slot, question in
                questions.append(question)
                answer = { slot.send($0) }
            }
        }
        motherboard.register(.help) { slot in ClosureBoard(slot: slot) }
        motherboard.register(.enrollment) { slot in ClosureBoard(slot: slot) }
    }

    private func installCourses() {
        motherboard.install(CourseModule { [unowned self] in shown.append($0.rawValue) })
    }

    @Test func `an activation waits at a gate and enters the board when the gate opens`() {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        #expect(course.state == .waiting)
        form?.submit(password: "sesame")
        #expect(course.state == .waiting)
        form?.submit(password: "swordfish")
        #expect(course.state == .active)
        #expect(shown == ["abc123"])
    }

    @Test func `a gate board that decides at once opens before the call returns`() {
        installCourses()
        session.isSignedIn = true
        #expect(motherboard.activate(.course, with: CourseID(rawValue: "abc123")).state == .active)
        #expect(forms == 0)
    }

    @Test func `a gate with a known answer does not activate its board`() {
        var flows = 0
        motherboard.registerFlow(from: .signIn) { _, _ in flows += 1 }
        let session = session
        motherboard.gate(
            .help,
            by: .signIn,
            unless: { session.isSignedIn },
            verdict: { output in
                switch output {
                case .signedIn: .open
                case .wrongPassword: .undecided
                case .gaveUp: .closed
                }
            }
        )
        #expect(motherboard.activate(.help).state == .waiting)
        form?.submit(password: "swordfish")
        #expect(flows == 1)
        #expect(motherboard.activate(.help).state == .active)
        #expect(flows == 1)
    }

    private func gateEnrollment() {
        motherboard.gate(.enrollment, by: .signIn) { output in
            switch output {
            case .signedIn: .open
            case .wrongPassword: .undecided
            case .gaveUp: .closed
            }
        }
        motherboard.gate(
            .enrollment,
            by: .confirm,
            asking: { seat in seat.price > 0 ? "Pay \(seat.price) euros for \(seat.course.rawValue)?" : nil },
            verdict: { isConfirmed in isConfirmed ? .open : .closed }
        )
    }

    @Test func `two gates are asked in order, and the second asks about the input`() {
        gateEnrollment()
        let seat = motherboard.activate(.enrollment, with: Seat(course: chemistry, price: 90))
        form?.submit(password: "swordfish")
        #expect(questions == ["Pay 90 euros for chemistry?"])  // asked after the sign-in
        answer?(true)
        #expect(seat.state == .active)

        let free = motherboard.activate(.enrollment, with: Seat(course: chemistry, price: 0))
        #expect(free.state == .active)  // already signed in, and nothing to confirm
        #expect(questions.count == 1)
    }

    @Test func `each question has its own gate board, and equal questions share a board`() {
        session.isSignedIn = true
        gateEnrollment()
        let cheap = motherboard.activate(.enrollment, with: Seat(course: chemistry, price: 10))
        let answerCheap = answer
        let dear = motherboard.activate(.enrollment, with: Seat(course: chemistry, price: 90))
        let again = motherboard.activate(.enrollment, with: Seat(course: chemistry, price: 10))
        #expect(questions == ["Pay 10 euros for chemistry?", "Pay 90 euros for chemistry?"])
        #expect(motherboard.liveCount(of: .confirm) == 2)

        answer?(false)
        #expect(dear.state == .denied(Denial(of: .enrollment, by: .confirm, .closed)))
        #expect(cheap.state == .waiting)

        answerCheap?(true)
        #expect(cheap.state == .superseded)
        #expect(again.state == .active)
        #expect(!motherboard.isLive(.confirm))
    }

    @Test func `a replaced gate keeps its position`() {
        installCourses()
        session.isSignedIn = true
        let session = session
        motherboard.gate(
            .course,
            by: .signIn,
            unless: { session.isSignedIn },
            replacing: true,
            verdict: { output in
                if case .signedIn = output { .open } else { .undecided }
            }
        )
        #expect(motherboard.activate(.course, with: chemistry).state == .active)
        #expect(!motherboard.isLive(.signIn))
    }

    @Test func `a denied activation contains its denial`() {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        form?.giveUp()
        #expect(course.state == .denied(Denial(of: .course, by: .signIn, .closed)))
        #expect(shown.isEmpty)
    }

    @Test(arguments: [
        (Completion.done, Denial.Reason.gateDone), (.cancelled, .gateCancelled),
        (.failed(CancellationError()), .gateFailed),
    ])
    func `a gate board that ends without opening denies the activation`(completion: Completion, reason: Denial.Reason) {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        motherboard.complete(.signIn, completion)
        #expect(course.state == .denied(Denial(of: .course, by: .signIn, reason)))
    }

    @Test func `waiting activations share one question and enter in order`() {
        installCourses()
        motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        motherboard.activate(.course, with: CourseID(rawValue: "xyz789"))
        #expect(forms == 1)
        form?.submit(password: "swordfish")
        #expect(shown == ["abc123", "xyz789"])
    }

    @Test func `activating a gate board again denies the waiting activation`() {
        installCourses()
        let course = motherboard.activate(.course, with: chemistry)
        motherboard.activate(.signIn)
        #expect(course.state == .denied(Denial(of: .course, by: .signIn, .gateSuperseded)))
        form?.submit(password: "swordfish")
        #expect(shown.isEmpty)
    }

    @Test func `cancelling a waiting activation also cancels its gate board`() {
        installCourses()
        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        course.complete()
        #expect(course.completion?.isCancelled == true)
        #expect(!motherboard.isLive(.signIn))
        #expect(shown.isEmpty)
    }

    @Test func `a general gate applies to every board but its exceptions`() {
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

    @Test func `the board of the first general gate is not behind the second gate`() {
        motherboard.gateAll(by: .signIn) { output in
            if case .signedIn = output { .open } else { .undecided }
        }
        motherboard.gateAll(by: .confirm, with: "Accept the terms?") { $0 ? .open : .closed }
        let help = motherboard.activate(.help)
        form?.submit(password: "swordfish")
        answer?(true)
        #expect(help.state == .active)
    }

    @Test func `a cycle of gates denies the activation and names the cycle`() {
        installCourses()
        motherboard.gate(.signIn, by: .confirm, with: "Accept the terms?") { $0 ? .open : .closed }
        motherboard.gate(.confirm, by: .signIn) { _ in .open }

        let course = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        let cycle = [AnyBoardID(.signIn), AnyBoardID(.confirm), AnyBoardID(.signIn)]
        #expect(course.state == .denied(Denial(of: .course, by: .signIn, .cycle(cycle))))
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
        motherboard.register(.signIn, replacing: true) { [session] slot in
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

        session.isSignedIn = false
        motherboard.register(.signIn, replacing: true) { [session] slot in
            SignInBoard(slot: slot, session: session) { board in board.giveUp() }
        }
        #expect(await outcome(of: chemistry, on: motherboard) == "denied: closed")
    }

    @Test func `a denial flow handles denials as long as its weak target lives`() {
        installCourses()
        var banner: Banner? = Banner()
        let text = { [weak banner] in banner?.text }
        register(banner)
        motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        form?.giveUp()
        #expect(text() == "course needs sign-in.")
        banner = nil
        motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
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
        var notices: [String] = []
        motherboard.register(.notice) { slot in ClosureBoard(slot: slot) { notices.append($1) } }
        motherboard.registerDenialFlow { denial, motherboard in
            motherboard.activate(.notice, with: "\(denial.board) needs \(denial.gate).")
        }
        let opening = motherboard.open("/course/abc123")
        form?.giveUp()
        #expect(opening == .denied(Denial(of: .course, by: .signIn, .closed)))
        #expect(notices == ["course needs sign-in."])
    }

    @Test func `nested motherboards share the board of an outer gate`() {
        motherboard.register(.course, reuse: .perActivation) { [unowned self] slot in
            CourseBoard(slot: slot) { [unowned self] in shown.append($0.rawValue) }
        }
        motherboard.gate(.course, by: .signIn) { output in
            if case .signedIn = output { .open } else { .undecided }
        }
        var inner: Motherboard?
        motherboard.register(.help, replacing: true) { slot in
            ClosureBoard(slot: slot) { slot, _ in inner = slot.inner }
        }
        motherboard.activate(.help)

        let outside = motherboard.activate(.course, with: CourseID(rawValue: "abc123"))
        let inside = inner?.activate(.course, with: CourseID(rawValue: "xyz789"))
        #expect(forms == 1)
        form?.submit(password: "swordfish")
        #expect(outside.state == .active)
        #expect(inside?.state == .active)
        #expect(shown == ["abc123", "xyz789"])
    }

    @Test func `boards that a gate board activates are not behind that gate`() {
        motherboard.register(.signIn, replacing: true) { slot in
            ClosureBoard(slot: slot) { slot, _ in
                let help = slot.nextToBoard(.help, with: ())
                let inside = slot.inner.activate(.confirm, with: "Really?")
                #expect(help.state == .active)
                #expect(inside.state == .active)
            }
        }
        motherboard.gateAll(by: .signIn) { output in
            if case .signedIn = output { .open } else { .undecided }
        }
        #expect(motherboard.activate(.enrollment, with: Seat(course: chemistry, price: 1)).state == .waiting)
    }

    @Test func `flows of a gate board run before the board is entered, and completion flows after`() {
        installCourses()
        var order: [String] = []
        motherboard.observe { event in
            if event.kind == .gateOpened { order.append("opened") }
            if event.kind == .activated, event.board == .course { order.append("entered") }
        }
        motherboard.registerFlow(from: .signIn) { _, _ in order.append("flow") }
        motherboard.registerCompletionFlow(.signIn) { _, _ in order.append("completion flow") }
        motherboard.activate(.course, with: chemistry)
        form?.submit(password: "swordfish")
        #expect(order == ["flow", "opened", "entered", "completion flow"])
    }
}
