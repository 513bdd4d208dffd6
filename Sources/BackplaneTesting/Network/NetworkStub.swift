import BackplaneConcurrency
public import BackplaneNetworking
public import Foundation
public import HTTPTypes

/// A server for tests: it answers as it was told to, and keeps what it was asked.
///
/// ```swift
/// let api = NetworkStub()
/// api.answer(.get, "courses/*", with: .json(#"{"title": "Swift"}"#))
/// api.answer(.post, "login") { request in
///     try request.json(Credentials.self).password == "swordfish" ? .json(#"{"token": "a"}"#) : .status(.unauthorized)
/// }
/// let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
/// ```
///
/// A request for which there is no answer fails the test, and is answered with a `NetworkError`. Safe to use from any thread.
public final class NetworkStub: NetworkTransport {
    private struct Route {
        let method: HTTPRequest.Method
        let path: String
        let reply: @Sendable (StubbedRequest) async throws -> StubbedReply

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

    /// A URL to give to controllers; any other does, too.
    public let baseURL: URL
    private let state = Locked(State())
    private let asked = Tally()
    private let birthplace: TestSite

    /// A server that has no answers yet.
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

    /// Answers requests by replies: each request by the next one, and when there is none left by the last.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, as the server sees it and without the query; `*` stands for one segment, whatever it is. Of two
    ///     answers to one request the later one counts.
    ///   - reply: the first reply.
    ///   - next: those after it.
    ///   - gate: what every answer waits at; cancelled requests do not.
    public func answer(
        _ method: HTTPRequest.Method,
        _ path: String,
        with reply: StubbedReply,
        _ next: StubbedReply...,
        after gate: AsyncLatch? = nil
    ) {
        let left = Locked([reply] + next)
        answer(method, path, after: gate) { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    /// Answers requests by what a closure makes of them.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, as the server sees it and without the query; `*` stands for one segment, whatever it is. Of two
    ///     answers to one request the later one counts.
    ///   - gate: what every answer waits at; cancelled requests do not.
    ///   - reply: answers, on no particular actor; what it throws is what the transport throws.
    public func answer(
        _ method: HTTPRequest.Method,
        _ path: String,
        after gate: AsyncLatch? = nil,
        _ reply: @escaping @Sendable (StubbedRequest) async throws -> StubbedReply
    ) {
        let route = Route(method: method, path: path) { request in
            try await gate?.waitUnlessCancelled()
            return try await reply(request)
        }
        state.withLock { $0.routes.append(route) }
    }

    /// What it was asked, in the order of arrival.
    public var requests: [StubbedRequest] { state.withLock { $0.requests } }

    /// Waits until it has been asked this often in all; fails the test when the time is up or the task is cancelled.
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

    /// Answers a request; controllers call it.
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
            There is no answer to \(request); set one with `answer`. \
            \(known.isEmpty ? "None is set." : "Those set: \(known).")
            """
        birthplace.fail(message)
        // Not one of those that are retried: another attempt has no answer either.
        return NetworkError(.invalidEndpoint, message: message)
    }
}
