import TestSupport
import Testing

/// Tests that mismatched boards and motherboards without an owner do not compile.
struct BoardTypesTests {
    private static func snippet(_ body: String) -> String {
        """
        import Backplane

        struct UserID {}
        enum Login: BoardContract { typealias Output = UserID }
        enum Dashboard: BoardContract {
            typealias Input = UserID
            typealias Output = String
            enum Command { case refresh }
        }
        enum Course: BoardContract { typealias Input = Int }
        enum Silent: BoardContract {}
        enum Profile: BoardContract { typealias Input = UserID }
        extension BoardID<Profile> { static var profile: Self { "profile" } }
        extension BoardID<Login> { static var login: Self { "login" } }
        extension BoardID<Dashboard> { static var dashboard: Self { "dashboard" } }
        extension BoardID<Course> { static var course: Self { "course" } }
        extension BoardID<Silent> { static var silent: Self { "silent" } }

        struct LoginBoard: Board {
            let slot: Slot<Login>
            func activate(with input: Void) {}
        }

        \(body)
        """
    }

    private static func inFunction(_ body: String) -> String {
        snippet("@MainActor func use(_ motherboard: Motherboard) {\n\(body)\n}")
    }

    @Test(
        .rule("B17"),
        arguments: [
            "motherboard.registerFlowSteps(.login ->>> .dashboard)",
            "motherboard.send(.refresh, to: .dashboard)",
            "motherboard.register(.login, LoginBoard.init)",
            "motherboard.gate(.course, by: .login) { _ in .open }",
            "motherboard.gate(.course, by: .dashboard, with: UserID()) { (name: String) in .open }",
            "motherboard.gate(.profile, by: .dashboard, asking: { $0 }) { _ in .open }",
            "motherboard.activate(.course, with: 1)",
        ]
    )
    func `boards with matching types can be connected (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(
        .rule("B17"),
        arguments: [
            "motherboard.registerFlowSteps(.dashboard ->>> .course)",
            "motherboard.registerFlowSteps(.login ->>> .dashboard ->>> .course)",
        ]
    )
    func `a flow between mismatched boards does not compile, and the error names both contracts`(
        body: String
    ) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(compilation.errors.count == 1)
        let error = compilation.errors.first ?? ""
        #expect(error.contains("'Dashboard.Output' (aka 'String')"), "\(compilation)")
        #expect(error.contains("'Course.Input' (aka 'Int')"), "\(compilation)")
    }

    @Test(
        .rule("B5"),
        arguments: [
            ("motherboard.activate(.course, with: UserID())", "'Course.Input' (aka 'Int')"),
            ("motherboard.activate(.course)", "'Course.Input' (aka 'Int')"),
            ("motherboard.send(.refresh, to: .login)", "'Never'"),
            ("motherboard.register(.dashboard, LoginBoard.init)", "'Dashboard'"),
            ("motherboard.gate(.course, by: .dashboard) { _ in .open }", "'Dashboard.Input' (aka 'UserID')"),
            ("motherboard.gate(.course, by: .dashboard, with: \"Who?\") { _ in .open }", "'UserID'"),
            ("motherboard.gate(.course, by: .dashboard, asking: { $0 }) { _ in .open }", "'Dashboard.Input?'"),
            ("motherboard.gate(.course, by: .login) { (name: String) in .open }", "(Login.Output)"),
        ]
    )
    func `a message of the wrong type does not compile`(body: String, culprit: String) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(!compilation.succeeded)
        #expect(compilation.output.contains(culprit), "\(compilation)")
    }

    @Test(
        .rule("B17"),
        arguments: [
            "motherboard.registerFlow(from: .dashboard) { text in print(text) }",
            "motherboard.registerFlow(from: .dashboard) { print($0) }",
            "motherboard.registerFlow(from: Dashboard.id, { (text: String) in print(text) })",
        ]
    )
    func `a flow whose handler has one parameter does not compile, and the error names the remedy`(
        body: String
    ) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(compilation.errors.count == 1)
        let error = compilation.errors.first ?? ""
        #expect(error.contains("write `{ output, _ in … }`"), "\(compilation)")
        let remedy = "motherboard.registerFlow(from: .dashboard) { text, _ in print(text) }"
        let repaired = try await Compiler.typecheck(Self.inFunction(remedy))
        #expect(repaired.succeeded, "\(repaired)")
    }

    // The sample is in StructuringAnApp.md.
    @Test(arguments: ["nonisolated", ""])
    func `on the main actor, only contracts, values and endpoints must be nonisolated`(
        isolation: String
    ) async throws {
        let compilation = try await Compiler.typecheck(
            """
            import Backplane
            import BackplaneFeatures
            import BackplaneNetworking
            import BackplaneRemote

            \(isolation) struct Badge: Codable, Identifiable, Sendable { let id: String }
            \(isolation) enum BadgePage: BoardContract { typealias Input = UserAccount<Badge> }
            \(isolation) extension AuthenticatedEndpoint<Badge> {
                static func badge(_ id: Badge.ID) -> Self { Self(.get("badges/\\(id)")) }
            }

            struct BadgeBoard: Board {
                let slot: Slot<BadgePage>
                let show: (Loader<Badge.ID, Badge>, ActionPerformer) -> Void

                func activate(with account: UserAccount<Badge>) {
                    let badge = Loader(for: { .badge($0) }, from: account.controller)
                    show(badge, ActionPerformer(startTask: slot.task))
                }
            }

            func register(on motherboard: Motherboard) {
                motherboard.register { slot in BadgeBoard(slot: slot) { _, _ in } }
            }
            """,
            options: ["-default-isolation", "MainActor"]
        )
        #expect(compilation.succeeded == !isolation.isEmpty, "\(compilation)")
    }

    @Test(
        .rule("B68"),
        arguments: [
            "motherboard.registerLink(\"course/{id}\", to: .course)",
            "motherboard.registerLink(\"silence\", to: .silent, parents: [\"\"])",
            "motherboard.registerLink(\"user/{id}\", to: .profile) { link in UserID() }",
        ]
    )
    func `a link whose parameter is the board's input needs no closure (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(
        .rule("B68"),
        arguments: [
            "motherboard.registerLink(\"user/{id}\", to: .profile)",
            "motherboard.registerLink(\"user/{id}\", to: .profile, parents: [\"\"])",
        ]
    )
    func `a link whose input is not a LinkParameter does not compile, and the error names the remedies`(
        body: String
    ) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(compilation.errors.count == 1)
        let error = compilation.errors.first ?? ""
        #expect(error.contains("the board's Input must be Void or conform to LinkParameter"), "\(compilation)")
        #expect(error.contains("pass a closure: registerLink("), "\(compilation)")
    }

    @Test(
        .rule("B1"),
        arguments: [
            "final class App { let motherboard = Motherboard() }",
            "final class App { lazy var motherboard = Motherboard() }",
            "@MainActor final class App { let motherboard = Motherboard() }",
            "actor Window { let motherboard = Motherboard() }",
            "actor Window { let motherboard: Motherboard; init() { motherboard = Motherboard() } }",
            "func make() -> Motherboard { Motherboard() }",
        ]
    )
    func `a motherboard without an owner does not compile`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(!compilation.succeeded)
    }

    @Test(
        .rule("B1"),
        arguments: [
            "@MainActor final class App { let motherboard = Motherboard.onMain() }",
            "@MainActor final class App { let motherboard: Motherboard; init() { motherboard = Motherboard() } }",
            "actor Window { var board: Motherboard?; func open() { board = Motherboard() } }",
            "actor Window { lazy var board = Motherboard(owner: self) }",
            "@MainActor func make() -> Motherboard { Motherboard() }",
        ]
    )
    func `a motherboard created on an actor compiles (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(.rule("B1")) func `a motherboard cannot leave its actor`() async throws {
        let compilation = try await Compiler.typecheck(
            Self.snippet("@MainActor func use(_ board: Motherboard) { Task.detached { board.activate(.silent) } }")
        )
        #expect(!compilation.succeeded)
    }
}
