import TestSupport
import Testing

@testable import Backplane

/// A wrong setup call ends the process with a message and the caller's file and line.
// Serialized, because each test starts a process of its own.
@Suite(.rule("B5", "B7", "B67"), .serialized)
struct SetupTrapTests {
    #if os(macOS) || os(Linux)
        @Test(arguments: misuses.indices)
        func `a setup trap describes the error and names the caller's file and line`(index: Int) async throws {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { @MainActor [index = index as Int] in
                misuses[index].perform(furnishedMotherboard())
            }
            let misuse = misuses[index]
            let words = try #require(result).words
            // The call is on the line of the misuse, or on the next one.
            #expect(
                (misuse.line...misuse.line + 1).contains { line in
                    words.contains("BackplaneTests/SetupTrapTests.swift:\(line): Fatal error: \(misuse.sentence)")
                },
                "\(words)"
            )
        }

        @Test func `an invalid template literal traps with the reason`() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = "course/{id" as LinkTemplate
            }
            #expect(try #require(result).words.contains("Fatal error: The link template \"course/{id\" is invalid."))
        }

        @Test func `a motherboard that is created in an actor's initializer traps with the line`() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = await Hasty()
            }
            let words = try #require(result).words
            #expect(
                words.contains("SetupTrapTests.swift:\(Hasty.line): Fatal error: A motherboard was made in an actor's")
            )
        }
    #endif
}

#if os(macOS) || os(Linux)
    extension ExitTest.Result {
        fileprivate var words: String { String(decoding: standardErrorContent, as: UTF8.self) }
    }
#endif

/// A call that traps, with the beginning of its message.
private struct Misuse: Sendable {
    let sentence: String
    let line: UInt
    let perform: @MainActor @Sendable (Motherboard) -> Void

    init(_ sentence: String, line: UInt = #line, perform: @escaping @MainActor @Sendable (Motherboard) -> Void) {
        self.sentence = sentence
        self.line = line
        self.perform = perform
    }
}

private let registeredTwice = "Board 'first' is registered already; pass `replacing: true` to replace it"
private let sharedName = """
    Two contracts share the board name 'same': BackplaneTests.Numbers and BackplaneTests.Words. Rename one of the two, or \
    give one contract an `id` of its own.
    """

private let misuses = [
    Misuse(registeredTwice) { $0.register(.first) { ProbeBoard(slot: $0) } },
    Misuse(registeredTwice) { $0.register(.first) { Plain(slot: $0) } },
    Misuse(registeredTwice) { $0.register(.first) { slot, _ in ProbeBoard(slot: slot) } },
    Misuse(registeredTwice) { $0.register(.first) { slot, _ in Plain(slot: slot) } },
    Misuse("Board 'figures' is registered already") { $0.registerTask(.figures) { input, _ in input } },
    Misuse("Board 'mute' is registered already") { $0.registerTask(.mute) { _, _ in } },
    Misuse("A task board was registered with the limit 0, so its work never starts.") {
        $0.registerTask(.figures, .concurrent(limit: 0), replacing: true) { input, _ in input }
    },
    Misuse(sharedName) { $0.register(.same) { ProbeBoard(slot: $0) } },
    Misuse(sharedName) { $0.registerFlow(from: .same) { _, _ in } },
    Misuse(sharedName) { $0.makeInner().registerTask(.same) { text, _ in text } },
    Misuse(sharedName) { $0.registerFlow(from: .first, leadingTo: .second, .same) { _, _ in } },
    Misuse(sharedName) { $0.registerFlow(from: .first, to: .same) { "\($0)" } },
    Misuse(sharedName) { $0.registerFlow(from: .same, weak: Journal()) { _, _ in } },
    Misuse(sharedName) { $0.registerFlowSteps(.words ->>> .same) },
    Misuse(sharedName) { $0.registerCombinedFlow(.words, .same) { _, _, _ in } },
    Misuse(sharedName) { $0.registerCombinedFlow(.words, leadingTo: .first, .same) { _, _ in } },
    Misuse(sharedName) { $0.registerCompletionFlow(.same) { _, _ in } },
    Misuse(sharedName) { $0.registerLink("other/{text}", to: .same) },
    Misuse("The link template \"word/{other}\" matches the same links as \"word/{text}\". Remove one of them.") {
        $0.registerLink("word/{other}", to: .words)
    },
    Misuse("The link template \"door\" matches the same links as \"door\".") {
        $0.registerLink("door", to: .doorkeeper)
    },
    Misuse("The template \"word/{text}/{tab}\" must have one parameter to be the input of 'words'") {
        $0.registerLink("word/{text}/{tab}", to: .words)
    },
    Misuse("The parent \"page/{page}\" of the link template \"page\" has parameters") {
        $0.registerLink("page", to: .words, parents: ["page/{page}"]) { _ in "" }
    },
    Misuse("\"myapp://\" is not a URL scheme.") { $0.allowLinks(schemes: ["myapp://"]) },
    Misuse("\"https://campus.example\" is not a host such as \"campus.example\".") {
        $0.allowLinks(hosts: ["https://campus.example"])
    },
    Misuse("\"a/b\" is not a host such as \"campus.example\".") { _ in
        _ = LinkRouter<Int>(hosts: ["a/b"])
    },
    Misuse("The link template \"word/{other}\" matches the same links as \"word/{text}\".") {
        $0.router.add("word/{other}", 2)
    },
    Misuse("\"\" is not a URL scheme.") { $0.router.allow(schemes: [""]) },
    Misuse("Nothing is installed on this motherboard already; remove one of the two calls") { $0.install(Nothing()) },
    Misuse("Nothing is installed on this motherboard already") { $0.install(Named(identity: "a"), Nothing()) },
    Misuse("Named is installed on this motherboard already") {
        $0.install(Named(identity: "a"), Named(identity: "b"), Named(identity: "a"))
    },
    Misuse("The link template \"post/{id}\" names the parent \"course/{id}\", and no link on this motherboard") {
        $0.install(Linked(identity: "post/{id}", parents: ["door", "course/{id}"]))
    },
    Misuse("The link template \"post/{id}\" names the parent \"course/{id}\"") {
        $0.install(Linked(identity: "post/{id}", parents: ["course/{id}"]), Linked(identity: "course/new", parents: []))
    },
    Misuse("The link template \"post/{id}\" names the parent \"myapp://door\"") {
        $0.install(Linked(identity: "post/{id}", parents: ["myapp://door"]))
    },
]

/// Returns a motherboard with the registrations that the misuses repeat.
@MainActor private func furnishedMotherboard() -> Motherboard {
    let motherboard = Motherboard.onMain()
    motherboard.probe(.first)
    motherboard.probe(.figures)
    motherboard.probe(.mute)
    motherboard.probe(BoardID<Numbers>("same"))
    motherboard.registerLink("word/{text}", to: .words)
    motherboard.registerLink("door", to: .doorkeeper)
    motherboard.install(Nothing())
    return motherboard
}

extension Motherboard {
    /// A router that is independent of the motherboard.
    fileprivate var router: LinkRouter<Int> {
        get {
            var router = LinkRouter<Int>()
            router.add("word/{text}", 1)
            return router
        }
        set {}
    }
}

private struct Plain: Board {
    let slot: Slot<Numbers>
    func activate(with input: Int) {}
    func receive(_ command: Int) {}
}

private struct Nothing: BoardModule {
    func register(on motherboard: Motherboard) {}
}

private struct Named: BoardModule {
    let identity: String
    func register(on motherboard: Motherboard) {}
}

private struct Linked: BoardModule {
    let identity: LinkTemplate
    let parents: [LinkTemplate]

    func register(on motherboard: Motherboard) {
        motherboard.registerLink(identity, to: .words, parents: parents) { _ in "" }
    }
}

private enum Mute: BoardContract {}

extension BoardID<Mute> {
    fileprivate static var mute: Self { "mute" }
}

extension BoardID<Words> {
    fileprivate static var same: Self { "same" }
}

private actor Hasty {
    static let line = #line + 4
    let motherboard: Motherboard

    init() async {
        motherboard = Motherboard()
    }
}
