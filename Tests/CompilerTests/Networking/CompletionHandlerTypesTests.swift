import Testing

/// Tests that a request with a completion handler checks access and isolation at compile time.
struct CompletionHandlerTypesTests {
    private static func snippet(_ body: String, in context: String = "@MainActor func") -> String {
        """
        import BackplaneNetworking

        struct User: Decodable, Sendable {}

        extension AuthenticatedEndpoint<User> {
            static var me: Self { Self(.get("me")) }
        }
        extension NonAuthenticatedEndpoint<User> {
            static func author(_ id: String) -> Self { Self(.get("authors/\\(id)")) }
        }

        final class Screen {
            var user: User?

            func show(_ result: Result<User, NetworkError>) { user = try? result.get() }
        }

        \(context) use(
            _ service: NonAuthenticatedNetworkController,
            _ account: AuthenticatedNetworkController,
            _ screen: Screen
        ) {
            \(body)
        }
        """
    }

    @Test(
        arguments: [
            "account.request(.me) { result in screen.show(result) }",
            "account.request(.me, then: screen.show)",
            "account.request(.me) { [weak screen] result in screen?.show(result) }",
            "service.request(.author(\"1\")) { screen.show($0) }",
            "let task = service.request(.author(\"1\")) { screen.show($0) }; task.cancel()",
        ]
    )
    func `a handler on an actor can capture the state of that actor (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test func `a request with a handler does not compile in code that is on no actor`() async throws {
        let body = "account.request(.me) { result in print(result) }"
        let compilation = try await Compiler.typecheck(Self.snippet(body, in: "func"))
        #expect(compilation.errors.contains("'nil' is not compatible with expected argument type 'any Actor'"))
    }

    @Test(
        arguments: [
            "service.request(.me) { screen.show($0) }",
            "service.request(AuthenticatedEndpoint<User>.me) { result in screen.show(result) }",
        ]
    )
    func `a protected endpoint given to the non-authenticated controller does not compile`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(
            compilation.errors == [
                """
                'request(_:isolation:then:)' is unavailable: an 'AuthenticatedEndpoint' needs an \
                'AuthenticatedNetworkController'; this controller performs only a 'NonAuthenticatedEndpoint'
                """
            ]
        )
    }

    @Test(
        arguments: [
            "account.request(.author(\"1\")) { screen.show($0) }"
        ]
    )
    func `a public endpoint given to the authenticated controller does not compile`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(
            compilation.errors == [
                """
                'request(_:isolation:then:)' is unavailable: a 'NonAuthenticatedEndpoint' needs a \
                'NonAuthenticatedNetworkController'; this controller performs only an 'AuthenticatedEndpoint'
                """
            ]
        )
    }
}
