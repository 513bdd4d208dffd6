// Sources/Backplane/Backplane.docc/Backplane.md, and tests of what it shows.

import Backplane
import Testing

struct CourseID: RawRepresentable, LinkParameter {
    let rawValue: String
}

enum SignIn: BoardContract {
    enum Output { case signedIn, gaveUp }
}

enum CoursePage: BoardContract {
    typealias Input = CourseID
    enum Output { case finished(CourseID) }
    enum Command { case refresh }
}

extension BoardID<SignIn> { static var signIn: Self { "sign-in" } }
extension BoardID<CoursePage> { static var course: Self { "course" } }

@MainActor final class CourseBoard: Board {
    let slot: Slot<CoursePage>
    let load: (CourseID) async throws -> Void

    init(slot: Slot<CoursePage>, load: @escaping (CourseID) async throws -> Void) {
        self.slot = slot
        self.load = load
    }

    func activate(with id: CourseID) {
        task {
            try await self.load(id)  // an error ends the board, as .failed(error)
            self.send(.finished(id))
            self.complete()
        }
    }

    func receive(_ command: CoursePage.Command) {}
}

@MainActor struct CourseModule: BoardModule {
    let load: (CourseID) async throws -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register(.course) { slot in CourseBoard(slot: slot, load: load) }
        motherboard.registerLink("course/{id}", to: .course)
        motherboard.gate(.course, by: .signIn) { output in
            switch output {
            case .signedIn: .open
            case .gaveUp: .closed
            }
        }
    }
}

@MainActor func openCourse(on motherboard: Motherboard, load: @escaping (CourseID) async throws -> Void) {
    motherboard.install(CourseModule(load: load))
    motherboard.allowLinks(schemes: ["myapp"])
    motherboard.registerFlow(from: .course) { output, motherboard in
        if case .finished = output { motherboard.activate(.signIn) }
    }
    let result = motherboard.open("myapp://course/abc123")
    if result == .waiting { print("The sign-in board is at it.") }
}

@MainActor final class SignInBoard: Board {
    let slot: Slot<SignIn>
    let session: Session

    init(slot: Slot<SignIn>, session: Session) {
        self.slot = slot
        self.session = session
    }

    func activate(with input: Void) {
        if session.isSignedIn { finish() } else { session.askPerson(self) }
    }

    func finish() {
        send(.signedIn)
        complete()
    }
}

final class CounterBoard: Board {
    enum Contract: BoardContract {
        typealias Input = Int
        typealias Output = Int
    }

    let slot: Slot<Contract>

    init(slot: Slot<Contract>) {
        self.slot = slot
    }

    func activate(with start: Int) {
        task { await self.count(from: start) }
    }

    // On the caller's actor, which is the board's.
    nonisolated(nonsending) func count(from start: Int) async {
        for number in start..<start + 3 { send(number) }
        complete()
    }
}

extension BoardID<CounterBoard.Contract> { static var counter: Self { "counter" } }

actor Window {
    private lazy var motherboard = Motherboard(owner: self)
    private(set) var seen: [Int] = []

    func start() {
        motherboard.register(.counter, CounterBoard.init)
        motherboard.registerFlow(from: .counter, weak: self) { window, number in
            window.assumeIsolated { $0.seen.append(number) }
        }
        motherboard.activate(.counter, with: 1)
    }
}

@MainActor final class Session {
    var isSignedIn = false

    func askPerson(_ board: SignInBoard) {
        isSignedIn = true
        board.finish()
    }
}

@MainActor @Test func `a course opened by a link waits for signing in and is then loaded`() async {
    let motherboard = Motherboard()
    let session = Session()
    motherboard.register(.signIn) { slot in SignInBoard(slot: slot, session: session) }
    var loaded: [CourseID] = []
    await withCheckedContinuation { continuation in
        motherboard.registerCompletionFlow(.course) { _, _ in continuation.resume() }
        openCourse(on: motherboard) { loaded.append($0) }
    }
    #expect(loaded.map(\.rawValue) == ["abc123"])
}

@Test func `boards on an actor of one's own count on it`() async {
    let window = Window()
    await window.start()
    while await window.seen.count < 3 { await Task.yield() }
    #expect(await window.seen == [1, 2, 3])
}
