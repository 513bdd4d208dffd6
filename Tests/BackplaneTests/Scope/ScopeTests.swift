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
        #expect(campus.signIns.boards.count == 1)
        campus.signIn("ada")
        #expect(lines == ["session of ada", "ada/course 7"])
        #expect(course.state == .active)
        #expect(course.send(1) == .delivered(1))
        course.complete()
        #expect(course.completion?.isDone == true)
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
        _ = await campus.signIns.board(0)
        campus.signIns.boards[0].complete()
        await #expect(throws: BoardError.self) { try await asking.value }
    }
}

extension Completion {
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
