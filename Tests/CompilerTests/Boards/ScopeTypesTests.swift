import Testing

/// Tests that a module inside a scope requires the scope's input, and that a contribution point
/// accepts only values of its type (B56, B57).
struct ScopeTypesTests {
    private static func inFunction(_ body: String) -> String {
        """
        import Backplane

        struct Account {}
        enum Login: BoardContract { typealias Output = Account? }
        enum Catalog: BoardContract { typealias Output = String }
        enum Session: BoardContract { typealias Input = Account }
        enum Course: BoardContract { typealias Input = Int }
        extension BoardID<Login> { static var login: Self { "login" } }
        extension BoardID<Catalog> { static var catalog: Self { "catalog" } }
        extension BoardID<Session> { static var session: Self { "session" } }
        extension BoardID<Course> { static var course: Self { "course" } }

        struct Tile { var title: String }
        extension ContributionPoint<Tile> { static var tiles: Self { "tiles" } }

        struct CourseModule: BoardModule {
            var account: Account
            func register(on motherboard: Motherboard) {}
        }

        struct SessionBoard: Board {
            let slot: Slot<Session>
            let account: Account
            func activate(with account: Account) {}
        }

        @MainActor func use(_ motherboard: Motherboard) {
            \(body)
        }
        """
    }

    @Test(
        arguments: [
            "motherboard.install(CourseModule(account: Account()))",
            "motherboard.register(.session, SessionBoard.init)",
            "motherboard.registerScope(.session, enteredBy: .login) { $0 }",
            "motherboard.registerScope(.session, enteredBy: .catalog) { $0.isEmpty ? nil : Account() }",
            "motherboard.declare(.course, inside: .session); motherboard.activate(.course, with: 7)",
            "motherboard.contribute(to: .tiles) { Tile(title: \"Courses\") }",
            "for tile in motherboard.contributions(to: .tiles) { print(tile.title) }",
        ]
    )
    func `matching types compile (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(
        arguments: [
            ("motherboard.install(CourseModule())", "missing argument for parameter 'account'"),
            ("motherboard.registerScope(.session, enteredBy: .catalog) { $0 }", "'Session.Input?'"),
            ("motherboard.registerScope(.course, enteredBy: .login) { $0 }", "'Int"),
            (
                "motherboard.declare(.course, inside: .session); motherboard.activate(.course, with: \"7\")",
                "'Course.Input' (aka 'Int')"
            ),
            ("motherboard.contribute(to: .tiles) { \"Courses\" }", "'Tile'"),
            ("let titles: [String] = motherboard.contributions(to: .tiles)", "'Tile'"),
        ]
    )
    func `a mismatched type does not compile, and the error names the type`(
        body: String,
        culprit: String
    ) async throws {
        let compilation = try await Compiler.typecheck(Self.inFunction(body))
        #expect(!compilation.succeeded)
        #expect(compilation.output.contains(culprit), "\(compilation)")
    }
}
