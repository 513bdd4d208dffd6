import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CompletionHandlerTests {
    /// A list of outcomes in an object that only the main actor may touch.
    @MainActor
    private final class Screen {
        var outcomes: [String] = []
        var error: NetworkError?
        let shown = AsyncLatch()

        func show(_ result: Result<User, NetworkError>) {
            outcomes.append(result.outcome)
            if case .failure(let error) = result { self.error = error }
            shown.open()
        }
    }

    private actor Reader {
        private(set) var user: User?

        func read(_ account: AuthenticatedNetworkController) async -> User? {
            await account.request(.me) { result in
                self.preconditionIsolated("The handler runs on the actor that created the handler.")
                self.user = try? result.get()
            }.value
            return user
        }
    }

    private let api = NetworkStub()

    init() {
        api.respond(to: .get, "me", with: .json(#"{"name":"Ada"}"#))
        api.respond(to: .get, "authors/7", with: .json(#"{"name":"Ada"}"#))
        api.respond(to: .get, "authors/8", with: .status(.notFound))
    }

    private static func author(_ id: String = "7") -> NonAuthenticatedEndpoint<User> { .author(User.ID(rawValue: id)) }

    @MainActor
    @Test func `a handler created on the main actor runs there once, after the call returns`() async throws {
        let screen = Screen()
        let other = Screen()
        let service = try api.service()
        let account = try api.account()
        let task = service.request(Self.author()) { result in
            MainActor.preconditionIsolated("The handler runs on the main actor.")
            screen.show(result)
        }
        account.request(.me) { result in
            MainActor.preconditionIsolated("The handler runs on the main actor.")
            other.show(result)
        }
        #expect(screen.outcomes.isEmpty)
        await task.value
        await other.shown.wait()
        #expect(screen.outcomes == ["Ada"])
        #expect(other.outcomes == ["Ada"])
    }

    @Test func `a handler created on an actor runs on that actor`() async throws {
        #expect(await Reader().read(try api.account()) == User(name: "Ada"))
    }

    @MainActor
    @Test func `a handler receives the error that the request throws`() async throws {
        let screen = Screen()
        let service = try api.service()
        await service.request(Self.author("8")) { screen.show($0) }.value
        #expect(screen.outcomes == ["rejected"])
        #expect(screen.error?.endpoint == "GET /authors/8")
    }

    @MainActor
    @Test(arguments: [true, false])
    func `a handler of a cancelled request receives the code cancelled`(isAuthenticated: Bool) async throws {
        let latch = AsyncLatch()
        api.respond(to: .get, "me", with: .json(#"{"name":"Ada"}"#), after: latch)
        api.respond(to: .get, "authors/7", with: .json(#"{"name":"Ada"}"#), after: latch)
        let screen = Screen()
        let service = try api.service()
        let account = try api.account()
        let task =
            isAuthenticated
            ? account.request(.me) { screen.show($0) } : service.request(Self.author()) { screen.show($0) }
        await latch.arrivals(atLeast: 1)
        task.cancel()
        await task.value
        #expect(screen.outcomes == ["cancelled"])
        #expect(
            screen.error?.description == """
                The request was cancelled before a response arrived. Send it again if you still need it.
                """
        )
    }

    @MainActor
    @Test func `a request that is cancelled before its start still calls its handler`() async throws {
        let screen = Screen()
        let task = try api.service().request(Self.author()) { screen.show($0) }
        task.cancel()
        await task.value
        #expect(screen.outcomes == ["cancelled"])
        #expect(api.requests.isEmpty)
    }

    @MainActor
    @Test func `if a request is cancelled after its response has arrived, it returns no response`() async throws {
        let screen = Screen()
        let service = try api.service()
        let task = Watched<Task<Void, Never>?>(nil)
        let endpoint = Self.author().map { user in
            // This task runs before the handler in the main actor's queue.
            Task { @MainActor in task.value?.cancel() }
            return user
        }
        let request = service.request(endpoint) { screen.show($0) }
        task.update { $0 = request }
        await request.value
        #expect(screen.outcomes == ["cancelled"])
    }

    @MainActor
    @Test(.rule("N9"))
    func `a handler receives no response after signing out, even if the response has arrived`() async throws {
        let screen = Screen()
        let account = try api.account()
        let endpoint = AuthenticatedEndpoint<User>.me.map { user in
            // This task runs before the handler in the main actor's queue.
            Task { @MainActor in try await account.signOut() }
            return user
        }
        await account.request(endpoint) { screen.show($0) }.value
        #expect(screen.outcomes == ["signedOut"])
    }

    @MainActor
    @Test(.rule("N12")) func `a request belongs to the user at the time of the call`() async throws {
        let screen = Screen()
        let account = try api.account()
        let task = account.request(.me) { screen.show($0) }
        // The request's task has not begun, because this test still occupies the actor.
        try await account.signIn(with: .named("access-b"))
        await task.value
        #expect(screen.outcomes == ["signedOut"])
        #expect(api.requests.isEmpty)
    }
}

extension Result<User, NetworkError> {
    /// The user's name or the code of the error.
    fileprivate var outcome: String {
        switch self {
        case .success(let user): user.name
        case .failure(let error): "\(error.code)"
        }
    }
}
