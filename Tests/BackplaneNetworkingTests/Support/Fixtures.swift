import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

struct User: Codable, Equatable, Sendable {
    struct ID: RawRepresentable, Hashable, Sendable {
        let rawValue: String
    }

    var name: String
}

extension AuthenticatedEndpoint<User> {
    static var me: Self { Self(.get("me")) }
}

extension NonAuthenticatedEndpoint<User> {
    static func author(_ id: User.ID) -> Self { Self(.get("authors/\(id)")) }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func login(email: String, password: String) -> Self {
        Self(.post("login", body: .json(["email": email, "password": password])))
    }

    static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("token/refresh", body: .json(["refresh_token": token])))
    }
}

extension NonAuthenticatedEndpoint<Void> {
    static func revoke(_ tokens: NetworkTokens) -> Self {
        Self(.post("token/revoke", body: .json(["refresh_token": tokens.refresh])))
    }
}

extension AuthenticatedEndpoint<Void> {
    static var logout: Self { Self(.post("logout")) }
}

extension NetworkTokens {
    /// Creates tokens whose values are their names, so that a test reads the sender of a request.
    static func named(_ access: String, refresh: String? = "refresh-1", expiresIn: Duration? = nil) -> NetworkTokens {
        NetworkTokens(
            access: AccessToken(rawValue: access),
            refresh: refresh.map { RefreshToken(rawValue: $0) },
            expiresIn: expiresIn
        )
    }
}

extension AuthenticatedEndpoint<User> {
    /// Returns the endpoint with a note that a response was decoded.
    func noting(_ isDecoded: Watched<Bool>) -> Self {
        map { user in
            isDecoded.update { $0 = true }
            return user
        }
    }
}

extension NonAuthenticatedNetworkController {
    func account(
        tokens: NetworkTokens = .named("access-0"),
        vault: any TokenVault = MemoryTokenVault(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) -> AuthenticatedNetworkController {
        AuthenticatedNetworkController(over: self, tokens: tokens, vault: vault, onEvent: onEvent) { .refresh($0) }
    }
}

extension NetworkOptions {
    /// Adds a middleware that changes each request.
    mutating func change(_ change: @escaping @Sendable (inout HTTPRequest) -> Void) {
        intercept { request, body, _, next in
            var request = request
            change(&request)
            return try await next(request, body)
        }
    }
}

/// The codes that a session reports, in order.
struct SessionLog {
    private let codes = Watched<[NetworkError.Code]>([])

    var value: [NetworkError.Code] { codes.value }

    var onEvent: @Sendable (NetworkError) -> Void {
        { [codes] error in codes.update { $0.append(error.code) } }
    }
}

extension ScriptedServer {
    /// A server that answers each request after `latch` has opened.
    static func waiting(for latch: AsyncLatch, _ reply: Reply = .json(#"{"name":"Ada"}"#)) throws -> ScriptedServer {
        try ScriptedServer { _ in
            await latch.wait()
            return reply
        }
    }

    func service(
        _ configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> NonAuthenticatedNetworkController {
        var options = NetworkOptions()
        configure(&options)
        return try NonAuthenticatedNetworkController(baseURL: baseURL, options: options)
    }

    func account(
        tokens: NetworkTokens = .named("access-0"),
        vault: any TokenVault = MemoryTokenVault(),
        onEvent: @escaping @Sendable (NetworkError) -> Void = { _ in },
        configure: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> AuthenticatedNetworkController {
        try service(configure).account(tokens: tokens, vault: vault, onEvent: onEvent)
    }

    var baseURL: URL {
        get throws {
            guard let url = URL(string: url) else { throw URLError(.badURL) }
            return url
        }
    }
}

/// Returns the error that `operation` throws, if it is a `NetworkError`.
func networkError(_ operation: () async throws -> some Any) async -> NetworkError? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error as? NetworkError
    }
}
