import TestSupport
import Testing

/// Tests that an endpoint compiles only with the controller of its access, and a refresh only with
/// a public endpoint.
struct EndpointAccessTests {
    private static func snippet(_ body: String) -> String {
        """
        import BackplaneNetworking

        struct User: Decodable, Sendable {}

        extension AuthenticatedEndpoint<User> {
            static var me: Self { Self(.get("me")) }
            static func user(_ id: String) -> Self { Self(.get("users/\\(id)")) }
        }
        extension NonAuthenticatedEndpoint<User> {
            static func author(_ id: String) -> Self { Self(.get("authors/\\(id)")) }
        }
        extension NonAuthenticatedEndpoint<NetworkTokens> {
            static func refresh(_ token: RefreshToken) -> Self { Self(.post("token", body: .json(token))) }
        }
        extension AuthenticatedEndpoint<NetworkTokens> {
            static func renewal(_ token: RefreshToken) -> Self { Self(.post("token", body: .json(token))) }
        }

        func use(
            _ service: NonAuthenticatedNetworkController,
            _ account: AuthenticatedNetworkController,
            _ tokens: NetworkTokens
        ) async throws {
            \(body)
        }
        """
    }

    @Test(
        .rule("N5"),
        arguments: [
            "_ = try await service.request(.author(\"1\"))",
            "let user: User = try await account.request(.me); _ = user",
            "_ = try await account.request(.user(\"1\"))",
            "_ = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }",
            "_ = AuthenticatedNetworkController(over: service, tokens: tokens, refresh: NonAuthenticatedEndpoint.refresh)",
        ]
    )
    func `endpoints of the right kind compile (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test func `a module on the main actor can declare endpoints and use both controllers`() async throws {
        let source = """
            import BackplaneNetworking

            nonisolated struct User: Decodable, Sendable {}

            nonisolated extension AuthenticatedEndpoint<User> {
                static var me: Self { Self(.get("me")) }
            }
            nonisolated extension NonAuthenticatedEndpoint<NetworkTokens> {
                static func refresh(_ token: RefreshToken) -> Self { Self(.post("token", body: .json(token))) }
            }

            struct UserLoader {
                var networkController: AuthenticatedNetworkController

                func load() async throws -> User { try await networkController.request(.me) }
            }

            func loader(
                _ service: NonAuthenticatedNetworkController,
                _ token: RefreshToken
            ) async throws -> UserLoader {
                let tokens = try await service.request(.refresh(token))
                return UserLoader(
                    networkController: AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
                )
            }
            """
        let compilation = try await Compiler.typecheck(source, options: ["-default-isolation", "MainActor"])
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(
        arguments: [
            "_ = try await service.request(.me)",
            "_ = try await service.request(.user(\"1\"))",
            "let user: User = try await service.request(.user(\"1\")); _ = user",
            "let endpoint = AuthenticatedEndpoint<User>.me; _ = try await service.request(endpoint)",
        ]
    )
    func `a protected endpoint given to the non-authenticated controller does not compile`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(
            compilation.errors == [
                """
                'request' is unavailable: an 'AuthenticatedEndpoint' needs an 'AuthenticatedNetworkController'; this \
                controller performs only a 'NonAuthenticatedEndpoint'
                """
            ]
        )
    }

    @Test func `a public endpoint given to the authenticated controller does not compile`() async throws {
        let compilation = try await Compiler.typecheck(Self.snippet("_ = try await account.request(.author(\"1\"))"))
        #expect(
            compilation.errors == [
                """
                'request' is unavailable: a 'NonAuthenticatedEndpoint' needs a 'NonAuthenticatedNetworkController'; this \
                controller performs only an 'AuthenticatedEndpoint'
                """
            ]
        )
    }

    @Test(
        .rule("N5"),
        arguments: [
            "_ = AuthenticatedNetworkController(over: service, tokens: tokens) { .renewal($0) }",
            "_ = AuthenticatedNetworkController(over: service, tokens: tokens, refresh: AuthenticatedEndpoint.renewal)",
        ]
    )
    func `a refresh through the authenticated controller does not compile`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.errors.count == 1)
        #expect(
            compilation.errors.first?.hasSuffix(
                """
                refreshing needs a 'NonAuthenticatedEndpoint'; an 'AuthenticatedEndpoint' would wait for the refresh \
                that it is
                """
            ) == true
        )
    }
}
