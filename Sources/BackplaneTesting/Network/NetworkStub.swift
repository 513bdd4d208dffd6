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
/// The query does not matter for the choice of a response. A closure can read it in
/// ``StubbedRequest/query``. The path must match exactly, apart from a leading slash. A cancelled
/// request gets no response.
///
/// A request without a matching response fails the test and throws a `NetworkError`. It is safe to
/// use from any thread.
public final class NetworkStub: NetworkTransport {
    private typealias Reply = @Sendable (StubbedRequest) async throws -> StubbedResponse

    private struct Route {
        let method: HTTPRequest.Method
        let path: String
        let latch: AsyncLatch?
        /// The replies; the last one is for all further requests.
        var replies: [Reply]

        func matches(_ request: StubbedRequest) -> Bool {
            let (pattern, segments) = (Self.segments(of: path), Self.segments(of: request.path))
            return method == request.method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0 == "*" || $0 == $1 }
        }

        private static func segments(of path: String) -> [Substring] {
            path.trimmingPrefix("/").split(separator: "/", omittingEmptySubsequences: false)
        }

        /// Returns the reply to the request that arrives now.
        mutating func next() -> Reply { replies.count > 1 ? replies.removeFirst() : replies[0] }
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

    /// Sets the replies to matching requests, one for each request in the order of arrival.
    ///
    /// After the last reply, all further requests receive the last reply again. If several calls of
    /// `respond` match a request, the last call counts.
    ///
    /// - Parameters:
    ///   - method: the method of matching requests.
    ///   - path: the path of matching requests, as sent to the server, without the query. `*`
    ///     matches any one segment.
    ///   - reply: the first reply.
    ///   - next: the replies after the first one.
    ///   - latch: the latch at which every response waits; a cancelled request stops waiting.
    public func respond(
        to method: HTTPRequest.Method,
        _ path: String,
        with reply: StubbedResponse,
        _ next: StubbedResponse...,
        after latch: AsyncLatch? = nil
    ) {
        let replies = ([reply] + next).map { reply -> Reply in { _ in reply } }
        state.withLock { $0.routes.append(Route(method: method, path: path, latch: latch, replies: replies)) }
    }

    /// Sets a closure that returns the reply to each matching request.
    ///
    /// If several calls of `respond` match a request, the last call counts.
    ///
    /// - Parameters:
    ///   - method: the method of matching requests.
    ///   - path: the path of matching requests, as sent to the server, without the query. `*`
    ///     matches any one segment.
    ///   - latch: the latch at which every response waits; a cancelled request stops waiting.
    ///   - reply: returns the reply to a request; it may run on any actor. If it throws, the
    ///     transport throws the same error.
    public func respond(
        to method: HTTPRequest.Method,
        _ path: String,
        after latch: AsyncLatch? = nil,
        _ reply: @escaping @Sendable (StubbedRequest) async throws -> StubbedResponse
    ) {
        state.withLock { $0.routes.append(Route(method: method, path: path, latch: latch, replies: [reply])) }
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
        // In one step, so that requests get the replies in the order in which they arrive.
        let (reply, latch, routes) = state.withLock { state in
            state.requests.append(request)
            let index = state.routes.lastIndex { $0.matches(request) }
            return (index.map { state.routes[$0].next() }, index.flatMap { state.routes[$0].latch }, state.routes)
        }
        asked.add()
        guard let reply else { throw missingAnswer(to: request, routes) }
        try await latch?.waitUnlessCancelled()
        let result: Result<(HTTPResponse, Data), any Error>
        do { result = try await reply(request).result } catch { result = .failure(error) }
        try Task.checkCancellation()
        var (response, body) = try result.get()
        // N35: No transport can receive a body here (RFC 9110 section 6.4.1).
        if request.method == .head || [204, 304].contains(response.status.code) { body = Data() }
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
