public import Foundation
public import HTTPTypes

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A transport over `URLSession`.
///
/// It remembers nothing between requests and adds nothing to them: no cookies, no cache, no stored credentials. It does
/// **not follow redirects**: the 3xx answer is the answer, since following it could carry the access token to another
/// origin. Its connections are its own and are closed when the last copy is gone; share one between controllers.
///
/// `URLSession` decompresses bodies by itself, and the response limit counts the bytes after that.
///
/// On Linux, `URLSession` [ends the process](https://github.com/swiftlang/swift-corelibs-foundation/issues/5285) when a
/// server hangs up before its header fields are complete or sends fields after the body, takes an answer for an error whose
/// header fields have no space after the colon, and may read far more of a body than its delegate has seen, so that memory is
/// not bounded by the response limit. Where the server or the network is not trusted to do better, and in every server of
/// your own, use the `AsyncHTTPClientTransport` of `BackplaneAsyncHTTPClient` there.
public final class URLSessionTransport: NetworkTransport {
    private let session: URLSession
    private let exchanges = URLSessionExchanges()

    /// A transport with connections of its own.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        // Controllers keep time, with a clock of their own; a day only has to be longer than anybody waits.
        configuration.timeoutIntervalForRequest = 24 * 60 * 60
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session keeps itself and its delegate alive until it is told to stop.
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and returns the whole answer, whatever its status.
    ///
    /// - Throws: `URLError` when there is no answer, ``NetworkError`` when it is larger than `responseLimit`, and
    ///   `CancellationError` as soon as the task is cancelled.
    public func send(
        _ request: HTTPRequest,
        body: Data?,
        responseLimit: Int
    ) async throws -> (HTTPResponse, Data) {
        guard var urlRequest = URLRequest(request) else { throw URLError(.badURL) }
        urlRequest.httpBody = body
        let task = session.dataTask(with: urlRequest)
        // The thread sanitizer does not see how an answer is handed over that is there before it is awaited.
        defer { exchanges.synchronize() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, continuation, responseLimit: responseLimit)
                task.resume()
                // The handler below may have run before there was anything to end.
                if Task.isCancelled { exchanges.end(task, .failure(CancellationError())) }
            }
        } onCancel: {
            exchanges.end(task, .failure(CancellationError()))
        }
    }
}

extension URLRequest {
    /// `request` as Foundation has it, or `nil` if it has no URL.
    fileprivate init?(_ request: HTTPRequest) {
        guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
            let url = URL(string: "\(scheme)://\(authority)\(path)")
        else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    }
}
