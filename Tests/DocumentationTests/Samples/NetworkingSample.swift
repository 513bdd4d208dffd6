import BackplaneNetworking
import Foundation

struct User: Codable, Sendable {
    var name: String
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func login(name: String, password: String) -> Self {
        Self(.post("login", body: .json(["name": name, "password": password])))
    }

    static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("token/refresh", body: .json(["refresh_token": token])))
    }
}

extension AuthenticatedEndpoint<User> {
    static func user(_ id: String) -> Self { Self(.get("users/\(id)")) }
}

func signIn(at url: URL, name: String, password: String) async throws -> User {
    let service = try NonAuthenticatedNetworkController(baseURL: url)
    let tokens = try await service.request(.login(name: name, password: password))
    let account = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
    return try await account.request(.user(name))
    // try await service.request(.user(name))     error: an 'AuthenticatedEndpoint' needs an …
}
