import TestSupport
import Testing

@testable import Backplane

/// Flows outside a scope receive messages of the boards that are declared inside it.
@Suite(.rule("B77"))
@MainActor struct CrossingFlowTests {
    private let campus = Campus(.onMain())
    private var motherboard: Motherboard { campus.motherboard }
    private let journal = Journal()

    /// Signs Ada in and opens a course.
    private func openCourse() {
        motherboard.activate(.session, with: Account("ada"))
        motherboard.activate(.course, with: 7)
    }

    @Test func `an output and a completion inside a scope reach flows inside, then flows outside`() {
        let journal = journal
        campus.onSession = { board, _ in
            board.inner.registerFlow(from: .course) { output, _ in journal.note("inside \(output)") }
            board.inner.registerCompletionFlow(.course) { completion, _ in journal.note("inside \(completion)") }
        }
        let outer = motherboard
        motherboard.registerFlow(from: .course) { output, motherboard in
            #expect(motherboard === outer)
            journal.note("outside \(output)")
        }
        motherboard.registerCompletionFlow(.course) { completion, activation, _ in
            #expect(activation.completion?.isDone == true)
            journal.note("outside \(completion)")
        }
        openCourse()
        let events = motherboard.observeEvents()
        campus.courses.last?.send(1)
        campus.courses.last?.complete()
        #expect(journal.lines == ["inside 1", "outside 1", "inside done", "outside done"])
        #expect(events.boards(.unhandledOutput) == [])
    }

    @Test func `chains and combined flows outside connect boards inside`() {
        let journal = journal
        motherboard.registerFlow(from: .course, to: .project) { $0 + 1 }
        motherboard.registerCombinedFlow(.course, .picker) { _, course, organization in
            journal.note("\(course) \(organization)")
        }
        openCourse()
        motherboard.activate(.organization, with: "acme")
        motherboard.activate(.picker)
        campus.courses.last?.send(1)
        campus.pick("other")
        #expect(campus.journal.lines.last == "ada/acme/project 2")
        #expect(journal.lines == ["1 other"])
    }

    @Test func `an output stays inside a board that is private or not declared in a scope`() async throws {
        let journal = journal
        motherboard.registerFlow(from: .course) { _, _ in journal.note("heard") }
        openCourse()
        // A course of the course's own motherboard is another board.
        campus.courses.last?.inner.probe(.course) { board, _ in board.send(1) }
        campus.courses.last?.inner.activate(.course, with: 8)
        motherboard.registerFlow(from: .first) { _, _ in journal.note("heard") }
        campus.courses.last?.inner.probe(.first) { board, _ in board.send(1) }
        campus.courses.last?.inner.activate(.first, with: 8)
        #expect(journal.lines == [])
    }

    @Test func `the advice for an unhandled output inside a scope does not name the scope`() {
        openCourse()
        let events = motherboard.observeEvents()
        campus.courses.last?.send(1)
        #expect(events.events.last?.message == "Nothing handled the output; register a flow from 'course'.")
    }

    @Test func `an entrance inside a scope enters a scope outside, once`() {
        let motherboard = Motherboard.onMain()
        let journal = journal
        var picker: ProbeBoard<Picker>?
        motherboard.probe(.session) { board, _ in board.inner.probe(.picker) { board, _ in picker = board } }
        motherboard.declare(.picker, inside: .session)
        motherboard.probe(.organization) { _, name in journal.note(name) }
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        motherboard.activate(.session, with: Account("ada"))
        motherboard.activate(.picker)
        picker?.send("acme")
        #expect(journal.lines == ["acme"])
    }

    @Test func `an entrance and its scope can both be inside another scope, and the scope is entered once`() {
        let events = motherboard.observeEvents()
        motherboard.activate(.session, with: Account("ada"))
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        motherboard.activate(.picker)
        campus.pick("acme")
        #expect(campus.journal.lines == ["session of ada", "ada/acme"])
        #expect(events.boards(.droppedEntrance) == [])
    }

    @Test func `the graph has the flow outside and the scope of its board`() {
        motherboard.registerFlow(from: .course, to: .project) { $0 }
        let edges = motherboard.graph().edges
        #expect(edges.contains(BoardGraph.Edge(from: BoardID.course, to: BoardID.project, kind: .flow)))
        #expect(edges.contains(BoardGraph.Edge(from: BoardID.session, to: BoardID.course, kind: .scope)))
    }

    #if os(macOS) || os(Linux)
        @Test func `a flow inside a scope from the scope's own board traps`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    let campus = Campus(.onMain())
                    campus.onSession = { board, _ in board.inner.registerFlow(from: .session) { _, _ in } }
                    campus.motherboard.activate(.session, with: Account("ada"))
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("CrossingFlowTests.swift"))
            #expect(
                text.contains("A flow from the scope 'session' on the inner motherboard of 'session' would never fire")
            )
        }
    #endif

    @Test func `an output inside two scopes reaches the flows at each level outside`() {
        let journal = journal
        let motherboard = Motherboard.onMain()
        var project: ProbeBoard<Numbers>?
        motherboard.probe(.session) { board, _ in
            board.inner.registerFlow(from: .project) { output, _ in journal.note("session \(output)") }
            board.inner.probe(.organization) { board, _ in
                board.inner.registerFlow(from: .project) { output, _ in journal.note("organization \(output)") }
                board.inner.probe(.project) { board, _ in project = board }
            }
        }
        motherboard.declare(.organization, inside: .session)
        motherboard.declare(.project, inside: .organization)
        motherboard.registerFlow(from: .project) { output, _ in journal.note("root \(output)") }
        motherboard.activate(.session, with: Account("ada"))
        motherboard.activate(.organization, with: "acme")
        motherboard.activate(.project, with: 1)
        project?.send(2)
        #expect(journal.lines == ["organization 2", "session 2", "root 2"])
    }
}
