import AsyncHTTPClient
import BackplaneAsyncHTTPClient
import BackplaneNetworking
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct User: Codable {
    let name: String
}

extension AuthenticatedEndpoint<User> {
    fileprivate static var me: Self { Self(.get("me")) }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    fileprivate static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("token/refresh", body: .json(["refresh_token": token])))
    }
}

/// The HTTP client that a controller uses, and its baseline.
enum HTTPClientKind {
    case urlSession
    case asyncHTTPClient

    fileprivate var transport: any NetworkTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .asyncHTTPClient: AsyncHTTPClientTransport()
        }
    }
}

extension Comparison {
    /// Sends a GET with an access token and decodes JSON, through a controller and by the client
    /// alone.
    static func authenticatedGet(
        from server: LoopbackServer,
        by kind: HTTPClientKind,
        inFlight: Int
    ) throws -> Comparison {
        let account = try AuthenticatedNetworkController(on: server, by: kind.transport, tokens: "alive")
        return Comparison(
            of: .requests(inFlight: inFlight) { _ = try await account.request(.me) },
            with: .requests(inFlight: inFlight, bareRequest(to: server, by: kind))
        )
    }

    private static func bareRequest(
        to server: LoopbackServer,
        by kind: HTTPClientKind
    ) -> @Sendable () async throws -> Void {
        let url = server.url.appending(path: "me")
        switch kind {
        case .urlSession:
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            let session = URLSession(configuration: configuration)
            return {
                var request = URLRequest(url: url)
                request.setValue("Bearer alive", forHTTPHeaderField: "Authorization")
                request.setValue("application/json", forHTTPHeaderField: "Accept")
                _ = try JSONDecoder().decode(User.self, from: try await session.data(for: request).0)
            }
        case .asyncHTTPClient:
            return {
                var request = HTTPClientRequest(url: url.absoluteString)
                request.headers.add(name: "Authorization", value: "Bearer alive")
                request.headers.add(name: "Accept", value: "application/json")
                let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
                let body = try await answer.body.collect(upTo: 1 << 20)
                _ = try JSONDecoder().decode(User.self, from: Data(body.readableBytesView))
            }
        }
    }
}

/// A transport that counts outgoing refreshes and requests with the token `dead`.
private actor CountingTransport: NetworkTransport {
    private let transport = AsyncHTTPClientTransport()
    private(set) var refreshes = 0
    private(set) var dead = 0

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        switch request.headerFields[.authorization] {
        case nil: refreshes += 1
        case "Bearer dead": dead += 1
        default: break
        }
        return try await transport.send(request, body: body, responseLimit: responseLimit)
    }
}

/// Returns the number of refreshes and of requests with the expired token, for simultaneous
/// callers.
func herd(of callers: Int) async throws -> (refreshes: Int, dead: Int) {
    let server = try await LoopbackServer()
    let transport = CountingTransport()
    let account = try AuthenticatedNetworkController(on: server, by: transport, tokens: "dead", expiresIn: .zero)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<callers { group.addTask { _ = try await account.request(.me) } }
        try await group.waitForAll()
    }
    try await server.stop()
    return await (transport.refreshes, transport.dead)
}

extension AuthenticatedNetworkController {
    fileprivate init(
        on server: LoopbackServer,
        by transport: any NetworkTransport,
        tokens access: String,
        expiresIn: Duration? = nil
    ) throws {
        var options = NetworkOptions()
        options.timeout = .seconds(120)
        let tokens = NetworkTokens(
            access: AccessToken(rawValue: access),
            refresh: RefreshToken(rawValue: "r1"),
            expiresIn: expiresIn
        )
        self.init(
            over: try NonAuthenticatedNetworkController(baseURL: server.url, transport: transport, options: options),
            tokens: tokens
        ) { .refresh($0) }
    }
}

extension Operation {
    /// Sends requests, `inFlight` at a time.
    fileprivate static func requests(
        inFlight: Int,
        _ request: @escaping @Sendable () async throws -> Void
    ) -> Operation {
        Operation(count: inFlight == 1 ? 100 : inFlight * 8) { count in
            await withTaskGroup { group in
                for _ in 0..<inFlight {
                    group.addTask {
                        for _ in 0..<count / inFlight {
                            do {
                                try await request()
                            } catch {
                                preconditionFailure("A request to this machine failed: \(error)")
                            }
                        }
                    }
                }
            }
        }
    }
}
