import BackplaneConcurrency
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes

/// The user of a session in these tests; the ID is the name before the dash of an access token.
struct SessionMember: Codable, Identifiable, Hashable, Sendable {
    let id: String
    var name: String
}

extension AuthenticatedEndpoint<SessionMember> {
    static var sessionMember: Self { Self(.get("me")) }
}

extension AuthenticatedEndpoint<Void> {
    static func saveSessionNote(_ text: String) -> Self { Self(.post("notes", body: .json([text]))) }
}

/// A server that accepts the access token `ada-1` for the user `ada`, and the same for others.
///
/// A refresh of `ada-r1` returns `ada-2` and `ada-r2`.
final class SessionServer: Sendable {
    struct State: Sendable {
        /// The access tokens that the server refuses.
        var refused: Set<String> = []
        /// Whether the server refuses all refreshes.
        var refusesRefreshes = false
        /// The latches that loads of a user wait for, by access token.
        var loadLatches: [String: AsyncLatch] = [:]
        /// The statuses of loads of a user that fail, by access token.
        var failures: [String: HTTPResponse.Status] = [:]
        var refreshLatch: AsyncLatch?
        var revocationLatch: AsyncLatch?
        /// The names of users that have changed, by ID.
        var names: [String: String] = [:]
    }

    let state = Watched(State())
    let events = Watched<[NetworkError.Code]>([])
    let api = NetworkStub()

    init() {
        api.respond(to: .get, "me") { [state] request in
            let token = request.bearer ?? ""
            try await state.value.loadLatches[token]?.waitUnlessCancelled()
            if state.value.refused.contains(token) { return .status(.unauthorized) }
            if let failure = state.value.failures[token] { return .status(failure) }
            let id = Self.owner(of: token)
            return .json(#"{"id":"\#(id)","name":"\#(state.value.names[id] ?? id.capitalized)"}"#)
        }
        api.respond(to: .post, "notes") { [state] request in
            state.value.refused.contains(request.bearer ?? "") ? .status(.unauthorized) : .status(.noContent)
        }
        api.respond(to: .post, "token/refresh") { [state] request in
            await state.value.refreshLatch?.wait()
            if state.value.refusesRefreshes { return .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
            let token = try request.json([String: String].self)["refresh_token"] ?? ""
            let (id, number) = (Self.owner(of: token), (Int(token.drop { !$0.isNumber }) ?? 0) + 1)
            return .json(#"{"access_token":"\#(id)-\#(number)","refresh_token":"\#(id)-r\#(number)"}"#)
        }
        api.respond(to: .post, "logout", with: .status(.noContent))
        api.respond(to: .post, "token/revoke") { [state] _ in
            await state.value.revocationLatch?.wait()
            return .status(.noContent)
        }
    }

    private static func owner(of token: String) -> String { String(token.prefix { $0 != "-" }) }

    /// Returns a session over this server.
    func session(vault: any TokenVault = MemoryTokenVault()) throws -> UserSession<SessionMember> {
        UserSession(
            over: try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api),
            vault: vault,
            user: .sessionMember,
            refresh: { Endpoint(.post("token/refresh", body: .json(["refresh_token": $0]))) },
            revokingWith: { Endpoint(.post("token/revoke", body: .json(["refresh_token": $0.refresh]))) },
            onEvent: { [events] event in events.update { $0.append(event.code) } }
        )
    }

    /// Returns a session whose revocations carry the access token.
    func sessionWithLogout(vault: any TokenVault = MemoryTokenVault()) throws -> UserSession<SessionMember> {
        UserSession(
            over: try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api),
            vault: vault,
            user: .sessionMember,
            refresh: { Endpoint(.post("token/refresh", body: .json(["refresh_token": $0]))) },
            revokingWith: Endpoint(.post("logout")),
            onEvent: { [events] event in events.update { $0.append(event.code) } }
        )
    }

    /// Lets the tokens of `account` expire, with a request that fails.
    func expire(_ account: UserAccount<SessionMember>, token: String) async {
        state.update { state in
            state.refused.insert(token)
            state.refusesRefreshes = true
        }
        _ = try? await account.controller.request(.sessionMember)
        state.update { $0.refusesRefreshes = false }
    }

    /// The access tokens of the requests to a path, in order of arrival.
    func bearers(of path: String) -> [String] {
        api.requests.filter { $0.path == "/\(path)" }.map { $0.bearer ?? "none" }
    }

    /// The refresh tokens that the app has revoked, in order of arrival.
    var revoked: [String] {
        api.requests.filter { $0.path == "/token/revoke" }
            .compactMap { try? $0.json([String: String].self)["refresh_token"] }
    }

    /// Waits until the app has revoked `token`.
    func revocation(of token: String) async {
        while !Task.isCancelled {
            let count = api.requests.count
            if revoked.contains(token) { return }
            await api.requests(atLeast: count + 1)
        }
    }
}

extension NetworkTokens {
    /// Returns the tokens of a sign-in, such as `ada-1` and `ada-r1`.
    static func session(_ user: String, _ number: Int = 1) -> NetworkTokens {
        NetworkTokens(
            access: AccessToken(rawValue: "\(user)-\(number)"),
            refresh: RefreshToken(rawValue: "\(user)-r\(number)"),
            // Constant, because equal tokens were received at the same time.
            receivedAt: Date(timeIntervalSinceReferenceDate: 0)
        )
    }
}

extension UserSession<SessionMember> {
    /// The state in words, for comparisons.
    var summary: String {
        switch state {
        case .unknown: "unknown"
        case .signedOut(let reason): reason.map { "signed out: \($0)" } ?? "signed out"
        case .signedIn(let account): "signed in: \(account.user.id)"
        }
    }
}

/// A vault that can fail, and that holds its operations at latches.
final class SessionVault: TokenVault {
    struct Failure: Error {}

    let tokens: Watched<NetworkTokens?>
    /// Whether every operation fails.
    let fails = Watched(false)
    private let loadLatch: AsyncLatch?

    init(_ tokens: NetworkTokens? = nil, fails: Bool = false, loadLatch: AsyncLatch? = nil) {
        self.tokens = Watched(tokens)
        self.loadLatch = loadLatch
        self.fails.update { $0 = fails }
    }

    private func check() throws {
        if fails.value { throw Failure() }
    }

    func load() async throws -> NetworkTokens? {
        await loadLatch?.wait()
        try check()
        return tokens.value
    }

    func save(_ tokens: NetworkTokens) async throws {
        try check()
        self.tokens.update { $0 = tokens }
    }

    func clear() async throws {
        try check()
        tokens.update { $0 = nil }
    }
}

/// Returns the code of the error that `operation` throws, if it is a `NetworkError`.
func networkCode(_ operation: () async throws -> some Any) async -> NetworkError.Code? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return (error as? NetworkError)?.code
    }
}
