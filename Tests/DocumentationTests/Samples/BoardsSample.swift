// Sources/Backplane/Backplane.docc/Backplane.md, and a test of what it shows.

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
    init(slot: Slot<SignIn>) { self.slot = slot }
    func activate(with input: Void) { send(.signedIn) }
}

@MainActor @Test func `a course opened by a link waits for signing in and is then loaded`() async {
    let motherboard = Motherboard()
    motherboard.register(.signIn, SignInBoard.init)
    var loaded: [CourseID] = []
    await withCheckedContinuation { continuation in
        motherboard.registerCompletionFlow(.course) { _, _ in continuation.resume() }
        openCourse(on: motherboard) { loaded.append($0) }
    }
    #expect(loaded.map(\.rawValue) == ["abc123"])
}
