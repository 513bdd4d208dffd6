import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B56"))
@MainActor struct ScopeRegistrationTests {
    #if compiler(>=6.3) && (os(macOS) || os(Linux))
        @Test(arguments: [
            (Wrong.twice, "The scope 'session' is registered already"),
            (.ownEntrance, "The scope 'words' cannot be its own entrance"),
            (.placedTwice, "Board 'course' is in a scope already"),
            (.insideItself, "Board 'session' would be inside itself"),
        ])
        func `a scope that is registered or declared in a wrong way traps`(wrong: Wrong, sentence: String) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [wrong] in
                await wrong.register()
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains(sentence))
            #expect(text.contains("ScopeRegistrationTests.swift"))
        }
    #endif

    enum Wrong: Codable {
        case twice, ownEntrance, placedTwice, insideItself

        @MainActor func register() {
            let motherboard = Motherboard.onMain()
            switch self {
            case .twice:
                for _ in 1...2 { motherboard.registerScope(.session, enteredBy: .signIn) { $0.account } }
            case .ownEntrance:
                motherboard.registerScope(.words, enteredBy: .words, with: "") { $0 }
            case .placedTwice:
                motherboard.declare(.course, inside: .session)
                motherboard.declare(.course, inside: .organization)
            case .insideItself:
                motherboard.declare(.organization, inside: .session)
                motherboard.declare(.words, inside: .organization)
                motherboard.declare(.session, inside: .words)
            }
        }
    }

    @Test func `a replaced entrance rule no longer enters the scope`() {
        let motherboard = Motherboard.onMain()
        let (signIns, journal) = (Asked<SignIn>(), Journal())
        motherboard.probe(.signIn, notedIn: signIns)
        motherboard.probe(.session) { _, account in journal.note(account.name) }
        motherboard.registerScope(.session, enteredBy: .signIn) { _ in Account("ada") }
        motherboard.registerScope(.session, enteredBy: .signIn, replacing: true) { _ in Account("eve") }
        motherboard.activate(.signIn)
        signIns.boards[0].send(.forgotPassword)
        #expect(journal.lines == ["eve"])
    }

    @Test func `a board registered outside and declared inside a scope is made inside`() {
        let campus = Campus(.onMain())
        var depths: [Bool] = []
        campus.motherboard.probe(.words) { [campus] board, _ in
            depths.append(campus.sessions.last?.inner.isLive(.words) ?? false)
            board.complete()
        }
        campus.motherboard.declare(.words, inside: .session)
        campus.motherboard.activate(.session, with: Account("ada"))
        #expect(campus.motherboard.activate(.words, with: "a").state == .completed)
        #expect(depths == [true])
    }

    @Test func `a declaration inside a scope applies to later activations only`() {
        let campus = Campus(.onMain())
        campus.motherboard.probe(.words)
        let words = campus.motherboard.activate(.words, with: "a")
        campus.motherboard.declare(.words, inside: .session)
        #expect(words.state == .active)
        #expect(campus.motherboard.activate(.words, with: "b").state == .waiting)
    }

    @Test func `the graph shows entrances, scopes and the boards inside`() {
        let campus = Campus(.onMain())
        let graph = campus.motherboard.graph()
        #expect(graph.edges.contains(.init(from: .signIn, to: .session, kind: .entrance)))
        #expect(graph.edges.contains(.init(from: .session, to: .course, kind: .scope)))
        #expect(graph.edges.contains(.init(from: .organization, to: .project, kind: .scope)))
        #expect(graph.mermaid.contains("-- enters -->"))
        #expect(graph.mermaid.contains("-. holds .->"))
        #expect(graph.dot.contains("label=\"enters\""))
        #expect(graph.dot.contains("label=\"holds\""))
    }

    @Test(.rule("B44")) func `the graph knows the boards inside a scope only while the scope is live`() {
        let campus = Campus(.onMain())
        let outside = campus.motherboard.graph()
        let unknown = outside.nodes.filter { !$0.isRegistered }
        #expect(unknown.map(\.board.name) == ["course", "picker", "organization", "project"])
        #expect(unknown.map(\.scopeToEnter?.name) == ["session", "session", "session", "organization"])
        #expect(!outside.mermaid.contains(":::unregistered"))
        #expect(!outside.dot.contains("[label=\"course\", style=dashed]"))
    }

    @Test(.rule("B44")) func `the graph finds a board that a live scope does not register`() {
        let campus = Campus(.onMain())
        campus.motherboard.declare(.words, inside: .session)
        campus.motherboard.activate(.session, with: Account("ada"))
        let inside = campus.motherboard.graph()
        let missing = inside.nodes.filter { !$0.isRegistered && $0.scopeToEnter == nil }
        #expect(missing.map(\.board.name) == ["words"])
        #expect(inside.nodes.filter { !$0.isRegistered }.map(\.board.name) == ["project", "words"])
        #expect(inside.mermaid.contains("[\"words\"]:::unregistered"))
        #expect(!inside.mermaid.contains("[\"project\"]:::unregistered"))

        campus.motherboard.activate(.organization, with: "acme")
        #expect(campus.motherboard.graph().nodes.filter { !$0.isRegistered }.map(\.board.name) == ["words"])
        campus.motherboard.complete(.session)
        #expect(campus.motherboard.graph().nodes.count { !$0.isRegistered } == 5)
    }

    @Test(.rule("B44")) func `a board that is registered outside of its scope counts as registered`() {
        let campus = Campus(.onMain())
        campus.motherboard.probe(.words)
        campus.motherboard.declare(.words, inside: .session)
        let words = campus.motherboard.graph().nodes.filter { $0.board == BoardID.words }
        #expect(words.map(\.isRegistered) == [true])
        #expect(words.map(\.scopeToEnter?.name) == ["session"])
    }

    @Test func `the graph inside a scope has no edge from the scope to itself`() throws {
        let campus = Campus(.onMain())
        campus.motherboard.activate(.session, with: Account("ada"))
        campus.sessions[0].inner.registerFlow(from: .course, leadingTo: .session) { _, _ in }
        let inside = try #require(campus.motherboard.graph().insides.first?.graph)
        #expect(inside.edges.contains { $0.from == BoardID.course && $0.to == BoardID.session })
        #expect(inside.edges.allSatisfy { $0.from != $0.to })
    }
}
