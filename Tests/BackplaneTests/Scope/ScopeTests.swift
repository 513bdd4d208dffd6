import Backplane
import TestSupport
import Testing

@Suite(.rule("B56"))
@MainActor struct ScopeTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    @Test func `a board inside a scope waits for the entrance and enters with its own input`() {
        let course = motherboard.activate(.course, with: 7)
        #expect(course.state == .waiting)
        #expect(lines == [])
        #expect(campus.logIns.boards.count == 1)
        campus.signIn("ada")
        #expect(lines == ["session of ada", "ada/course 7"])
        #expect(course.state == .active)
        #expect(course.send(1) == .delivered(1))
        course.complete()
        #expect(course.completion?.isDone == true)
    }

    @Test func `waiting activations share the question and keep their order`() {
        let courses = [3, 1, 2].map { motherboard.activate(.course, with: $0) }
        #expect(campus.logIns.boards.count == 1)
        campus.signIn("ada")
        #expect(lines == ["session of ada", "ada/course 3", "ada/course 1", "ada/course 2"])
        #expect(courses.map(\.state) == [.superseded, .superseded, .active])
    }

    @Test func `the event of an unhandled output inside a scope says where to register the flow`() {
        motherboard.activate(.session, with: Account("ada"))
        var messages: [String] = []
        motherboard.observe { if $0.kind == .unhandledOutput { messages.append($0.message) } }
        // The board is not declared outside, so a flow there would not receive the output.
        campus.sessions[0].inner.probe(.first) { board, _ in board.send(1) }
        campus.sessions[0].inner.activate(.first, with: 1)
        #expect(
            messages == [
                "Nothing handled the output; register a flow from 'first' on the inner motherboard of 'session'."
            ]
        )
    }

    @Test func `an entrance output that does not enter the scope leaves the activation waiting`() {
        let course = motherboard.activate(.course, with: 7)
        campus.logIns.boards[0].send(.forgotPassword)
        #expect(course.state == .waiting)
        campus.signIn("ada")
        #expect(course.state == .active)
    }

    @Test func `nested motherboards share the same scope`() {
        let inner = motherboard.makeInner()
        inner.activate(.course, with: 7)
        motherboard.activate(.course, with: 8)
        #expect(campus.logIns.boards.count == 1)
        campus.signIn("ada")
        #expect(lines == ["session of ada", "ada/course 7", "ada/course 8"])
        #expect(inner.activate(.course, with: 9).state == .active)
        #expect(inner.isLive(.session))
        inner.activate(.session, with: Account("eve"))
        #expect(lines.last == "session of eve")
        #expect(motherboard.liveCount(of: .session) == 1)
        #expect(!campus.sessions[0].slot.isLive)
    }

    @Test func `commands, liveness and completion reach a live board inside a live scope`() {
        #expect(motherboard.send(1, to: .course) == .notLive)
        #expect(!motherboard.isLive(.course))
        motherboard.activate(.session, with: Account("ada"))
        #expect(motherboard.send(1, to: .course) == .notLive)
        motherboard.activate(.course, with: 7)
        #expect(motherboard.send(1, to: .course) == .delivered(1))
        #expect(motherboard.isLive(.course))
        motherboard.complete(.course)
        #expect(!motherboard.isLive(.course))
        #expect(motherboard.isLive(.session))
    }

    @Test func `links and their parents lead inside a scope`() async {
        motherboard.registerLink("course/{number}", to: .course, parents: ["project/{number}"])
        motherboard.registerLink("project/{number}", to: .project)
        let opening = motherboard.open("/course/7")
        #expect(opening == .waiting)
        campus.signIn("ada")
        #expect(await opening.settled() == .opened)
        #expect(lines == ["session of ada", "ada/course 7"])
        #expect(motherboard.parents(of: "/course/7") == ["/project/7"])
        #expect(motherboard.open("/project/7") == .waiting)
        campus.pick("acme")
        #expect(lines.last == "ada/acme/project 7")
    }

    @Test func `a result can be requested from a board inside a scope`() async throws {
        motherboard.activate(.session, with: Account("ada"))
        campus.sessions[0].inner.register(.words) { slot in
            ProbeBoard(slot: slot) { board, text in board.send(text.uppercased()) }
        }
        motherboard.declare(.words, inside: .session)
        #expect(try await motherboard.result(of: .words, with: "ada") == "ADA")
        motherboard.complete(.session)
        let asking = Task { try await motherboard.result(of: .words, with: "eve") }
        _ = await campus.logIns.board(0)
        campus.logIns.boards[0].complete()
        await #expect(throws: BoardError.self) { try await asking.value }
    }
}

extension Completion {
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
