import TestSupport
import Testing

/// Tests that endpoints, controllers, loaders and mutations that do not fit do not compile
/// together.
struct JoiningTypesTests {
    private static func snippet(_ body: String) -> String {
        """
        import BackplaneFeatures
        import BackplaneNetworking
        import BackplaneRemote

        struct Course: Codable, Sendable { var title: String }

        extension AuthenticatedEndpoint<Course> {
            static func course(_ id: String) -> Self { Self(.get("courses/\\(id)")) }
            static func rename(_ id: String) -> Self { Self(.put("courses/\\(id)")) }
        }
        extension NonAuthenticatedEndpoint<Course> {
            static func preview(_ id: String) -> Self { Self(.get("previews/\\(id)")) }
        }
        extension AuthenticatedIdempotentEndpoint<Course> {
            static func book(_ id: String) -> Self { Self(.post("courses/\\(id)")) }
        }

        @MainActor func use(
            _ service: NonAuthenticatedNetworkController,
            _ account: AuthenticatedNetworkController,
            _ course: Loader<String, Course>
        ) async throws {
            \(body)
        }
        """
    }

    @Test(
        .rule("R2", "R3"),
        arguments: [
            "_ = Loader<String, Course>(for: { .course($0) }, from: account)",
            "_ = Loader<String, Course>(for: { .preview($0) }, from: service)",
            "let loader = Loader(for: { (id: String) in .course(id) }, from: account); loader.load(\"1\")",
            "let only = Loader(for: .course(\"1\"), from: account); only.load()",
            "try course.enqueue(Mutation(.set(\\.title, to: \"A\"), send: account.sending(.rename(\"1\"))))",
            "try course.enqueue(Mutation(.set(\\.title, to: \"A\"), send: account.sending(.rename(\"1\")), confirming: { $0 }))",
            "try course.enqueue(Mutation(.edit { $0.title = \"A\" }, send: account.sending(.book(\"1\"))))",
            "_ = try await account.request(.book(\"1\"), key: \"key\")",
            "_ = IdempotentAction<String, Course>(for: { .book($0) }, through: account)",
        ]
    )
    func `loaders and endpoints with matching types compile (control)`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(compilation.succeeded, "\(compilation)")
    }

    @Test(
        .rule("R2", "R3"),
        arguments: [
            // A loader over the controller of the other access.
            "_ = Loader<String, Course>(for: { .course($0) }, from: service)",
            "_ = Loader<String, Course>(for: { .preview($0) }, from: account)",
            // A mutation through the controller of the other access.
            "try course.enqueue(Mutation(.set(\\.title, to: \"A\"), send: service.sending(.rename(\"1\"))))",
            // An endpoint that needs a key, without one.
            "_ = try await account.request(.book(\"1\"))",
            "try course.enqueue(Mutation(.edit { $0.title = \"A\" }, send: { _ in try await account.request(.book(\"1\")) }))",
            // A loader of an endpoint that changes something and needs a key.
            "_ = Loader<String, Course>(for: { .book($0) }, from: account)",
            // An action that can be repeated, through an endpoint that ignores keys.
            "_ = IdempotentAction<String, Course>(for: { .rename($0) }, through: account)",
        ]
    )
    func `loaders and endpoints with other types do not compile`(body: String) async throws {
        let compilation = try await Compiler.typecheck(Self.snippet(body))
        #expect(!compilation.succeeded, "\(body)")
    }
}
