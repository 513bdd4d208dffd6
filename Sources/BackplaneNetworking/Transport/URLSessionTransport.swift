public import Foundation
public import HTTPTypes

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A transport over `URLSession`.
///
/// It keeps nothing between requests and adds nothing to them: no cookies, no cache, no stored
/// credentials. It does **not follow redirects**: it returns the 3xx response, because following it
/// could carry the access token to another origin. It has its own connections, and closes them when
/// the last reference is released. Share one transport between controllers.
///
/// Requests that only read share connections. Every other request has a connection of its own. On a
/// connection that was used before, `URLSession` may send a request a second time, after the server
/// has already carried it out.
///
/// `URLSession` decompresses bodies, and the response limit counts the bytes after that.
///
/// On Linux, `URLSession` has these faults:
/// - The process [ends](https://github.com/swiftlang/swift-corelibs-foundation/issues/5285) when a
///   server closes the connection before its header fields are complete, or sends fields after the
///   body.
/// - It reports an error for a response whose header fields have no space after the colon.
/// - It may read far more of a body than its delegate has received, so the response limit does not
///   limit memory.
///
/// On Linux, use the `AsyncHTTPClientTransport` of `BackplaneAsyncHTTPClient` in your own servers,
/// and if you do not trust the server or the network.
public final class URLSessionTransport: NetworkTransport {
    private let readers = Connections()

    /// Creates a transport with its own connections.
    public init() {}

    /// Sends a request and returns the complete response of any status.
    ///
    /// - Throws: `URLError` if there is no response, ``NetworkError`` if it is larger than
    ///   `responseLimit`, and `CancellationError` as soon as the task is cancelled.
    public func send(
        _ request: HTTPRequest,
        body: Data?,
        responseLimit: Int
    ) async throws -> (HTTPResponse, Data) {
        try Task.checkCancellation()
        guard var urlRequest = URLRequest(request) else { throw URLError(.badURL) }
        urlRequest.httpBody = body
        #if canImport(FoundationNetworking)
            // This Foundation calls every body a form. It sends no field with a blank value.
            if body != nil, request.headerFields[.contentType] == nil {
                urlRequest.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
        #endif
        let connections = request.method.isSafe ? readers : Connections()
        return try await connections.send(urlRequest, responseLimit: responseLimit)
    }
}

/// The connections of a `URLSession`, which are closed when the last reference is released.
private final class Connections: Sendable {
    private let session: URLSession
    private let exchanges = URLSessionExchanges()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        // Controllers have their own timeouts and clock. A day only has to be longer than any of
        // them.
        configuration.timeoutIntervalForRequest = 24 * 60 * 60
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session keeps itself and its delegate alive until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    func send(_ request: URLRequest, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let task = session.dataTask(with: request)
        // The thread sanitizer does not see how a response is handed over that arrives before it is
        // awaited.
        defer { exchanges.synchronize() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, continuation, responseLimit: responseLimit)
                task.resume()
                // The cancellation handler may have run before the exchange began.
                if Task.isCancelled { exchanges.end(task, .failure(CancellationError())) }
            }
        } onCancel: {
            exchanges.end(task, .failure(CancellationError()))
        }
    }
}

extension URLRequest {
    /// Creates the Foundation form of `request`, or `nil` if the request has no URL.
    fileprivate init?(_ request: HTTPRequest) {
        guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
            let url = URL(string: "\(scheme)://\(authority)\(path)")
        else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    }
}
