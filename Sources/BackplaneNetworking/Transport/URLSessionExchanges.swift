internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The running exchanges of one `URLSession`, updated by its delegate calls.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Continuation = CheckedContinuation<(HTTPResponse, Data), any Error>

    private struct Exchange {
        let continuation: Continuation
        let responseLimit: Int
        var response: HTTPResponse?
        var body = Data()

        var answer: (HTTPResponse, Data)? { response.map { ($0, body) } }

        /// Adds a part of the body.
        ///
        /// - Returns: The limit if the body would exceed it, in which case nothing is added; `nil`
        ///   otherwise.
        mutating func append(_ data: Data) -> Int? {
            guard data.count <= responseLimit - body.count else { return responseLimit }
            body.append(data)
            return nil
        }
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    /// Starts an exchange that resumes `continuation` exactly once.
    func begin(_ task: URLSessionTask, _ continuation: Continuation, responseLimit: Int) {
        let exchange = Exchange(continuation: continuation, responseLimit: responseLimit)
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Ends a running exchange early and resumes its caller at once, without waiting for the end of
    /// the task.
    func end(_ task: URLSessionTask, _ result: Result<(HTTPResponse, Data), any Error>) {
        // The exchange is removed before the task is cancelled. Otherwise the end of the task could
        // come first and decide the result.
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let exchange else { return }
        task.cancel()
        exchange.continuation.resume(with: result)
    }

    /// Makes the writes of delegate calls visible to the calling thread, through the lock.
    func synchronize() {
        exchanges.withLock { _ in }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let head = HTTPResponse(response)
        exchanges.withLock { $0[dataTask.taskIdentifier]?.response = head }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exceeded: Int? = exchanges.withLock { exchanges in
            exchanges[dataTask.taskIdentifier]?.append(data)
        }
        if let exceeded { end(dataTask, .failure(NetworkError.responseTooLarge(limit: exceeded))) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            exchange.continuation.resume(
                throwing: error.isTrustworthy(for: task) ? error : URLError(.networkConnectionLost)
            )
        } else if let response = exchange.response ?? task.response.flatMap(HTTPResponse.init) {
            exchange.continuation.resume(returning: (response, exchange.body))
        } else {
            exchange.continuation.resume(throwing: URLError(.badServerResponse))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // No password is available here, so the 401 response is the result. Challenges of the
        // connection itself get the default handling.
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault:
            #if canImport(FoundationNetworking)
                // This Foundation fails the task when a challenge is rejected. The complete
                // response has arrived before the challenge.
                if let answer = exchanges.withLock({ $0[task.taskIdentifier]?.answer }) { end(task, .success(answer)) }
            #endif
            completionHandler(.rejectProtectionSpace, nil)
        default:
            completionHandler(.performDefaultHandling, nil)
        }
    }
}

extension Error {
    /// Whether the request of `task` was not sent if this error says that there was no connection.
    ///
    /// FoundationNetworking reports any later failure in the same way if only one address of the
    /// host has refused the connection.
    fileprivate func isTrustworthy(for task: URLSessionTask) -> Bool {
        #if canImport(FoundationNetworking)
            guard (self as? URLError)?.code == .cannotConnectToHost else { return true }
            // The server cannot carry out a request without its body.
            if let body = task.originalRequest?.httpBody, !body.isEmpty { return task.countOfBytesSent == 0 }
            let host = task.originalRequest?.url?.host ?? ""
            return host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        #else
            return true
        #endif
    }
}

extension HTTPResponse {
    fileprivate init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse, (100...999).contains(response.statusCode) else { return nil }
        self.init(status: Status(code: response.statusCode))
        for case (let name as String, let value as String) in response.allHeaderFields {
            if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
        }
    }
}
