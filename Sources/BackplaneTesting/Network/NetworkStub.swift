import BackplaneConcurrency
public import BackplaneNetworking
public import Foundation
public import HTTPTypes

/// A server for tests: it responds as the test specifies, and records its requests.
///
/// ```swift
/// let api = NetworkStub()
/// api.respond(to: .get, "courses/*", with: .json(#"{"title": "Swift"}"#))
/// api.respond(to: .post, "login") { request in
///     try request.json(Credentials.self).password == "swordfish"
///         ? .json(#"{"token": "a"}"#) : .status(.unauthorized)
/// }
/// let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
/// ```
///
/// The query selects no response. A closure can read it in ``StubbedRequest/query``.
///
/// A request without a matching response fails the test and throws a `NetworkError`. Safe to use
/// from any thread.
public final class NetworkStub: NetworkTransport {
    private struct Route {
        let method: HTTPRequest.Method
        let path: String
        let reply: @Sendable (StubbedRequest) async throws -> StubbedResponse

        func matches(_ request: StubbedRequest) -> Bool {
            let pattern = path.split(separator: "/")
            let segments = request.path.split(separator: "/")
            return method == request.method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    private struct State {
        var routes: [Route] = []
        var requests: [StubbedRequest] = []
    }

    /// A URL for controllers; any other URL works too.
    public let baseURL: URL
    private let state = Locked(State())
    private let asked = Tally()
    private let birthplace: TestSite

    /// Creates a server that has no responses yet.
    public init(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        guard let url = URL(string: "https://stub.test") else { preconditionFailure("A constant URL is valid.") }
        baseURL = url
        birthplace = TestSite(fileID, filePath, line, column)
    }

    /// Sets the replies to matching requests; each request gets the next reply, the rest get the
    /// last one.
    ///
    /// If several responses match a request, the one that was set last is used.
    ///
    /// - Parameters:
    ///   - method: the method of matching requests.
    ///   - path: the path of matching requests, as sent to the server, without the query. `*`
    ///     matches any one segment.
    ///   - reply: the first reply.
    ///   - next: the replies after the first one.
    ///   - gate: the latch at which every response waits; a cancelled request stops waiting.
    public func respond(
        to method: HTTPRequest.Method,
        _ path: String,
        with reply: StubbedResponse,
        _ next: StubbedResponse...,
        after gate: AsyncLatch? = nil
    ) {
        let left = Locked([reply] + next)
        respond(to: method, path, after: gate) { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    /// Sets a closure that returns the reply to each matching request.
    ///
    /// If several responses match a request, the one that was set last is used.
    ///
    /// - Parameters:
    ///   - method: the method of matching requests.
    ///   - path: the path of matching requests, as sent to the server, without the query. `*`
    ///     matches any one segment.
    ///   - gate: the latch at which every response waits; a cancelled request stops waiting.
    ///   - reply: returns the reply to a request, on no particular actor; the transport throws its
    ///     errors.
    public func respond(
        to method: HTTPRequest.Method,
        _ path: String,
        after gate: AsyncLatch? = nil,
        _ reply: @escaping @Sendable (StubbedRequest) async throws -> StubbedResponse
    ) {
        let route = Route(method: method, path: path) { request in
            try await gate?.waitUnlessCancelled()
            return try await reply(request)
        }
        state.withLock { $0.routes.append(route) }
    }

    /// All requests, in the order of arrival.
    public var requests: [StubbedRequest] { state.withLock { $0.requests } }

    /// Waits until the total number of requests reaches `count`.
    ///
    /// The test fails on timeout, or if the task is cancelled.
    public func requests(
        atLeast count: Int,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        await asked.reach(count, of: "requests", within: timeout, orFailAt: site)
    }

    /// Returns the response to a request; controllers call this method.
    public func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        try Task.checkCancellation()
        let request = StubbedRequest(request, body: body)
        let routes = state.withLock { state in
            state.requests.append(request)
            return state.routes
        }
        asked.add()
        guard let route = routes.last(where: { $0.matches(request) }) else { throw missingAnswer(to: request, routes) }
        let (response, body) = try await route.reply(request).result.get()
        guard body.count <= responseLimit else { throw NetworkError.responseTooLarge(limit: responseLimit) }
        return (response, body)
    }

    private func missingAnswer(to request: StubbedRequest, _ routes: [Route]) -> NetworkError {
        let known = routes.map { "\($0.method) \($0.path)" }.joined(separator: ", ")
        let message = """
            There is no response to \(request); set one with `respond(to:_:with:)`. \
            \(known.isEmpty ? "No responses are set." : "Responses are set for: \(known).")
            """
        birthplace.fail(message)
        // This error code is not retried, because another attempt would have no response either.
        return NetworkError(.invalidEndpoint, message: message)
    }
}
