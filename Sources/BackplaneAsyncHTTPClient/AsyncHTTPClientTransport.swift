#if AsyncHTTPClient
    public import AsyncHTTPClient
    public import BackplaneNetworking
    public import Foundation
    public import HTTPTypes
    public import NIOCore
    internal import NIOHTTP1

    /// A transport over AsyncHTTPClient, for servers and for clients that keep many requests in flight.
    ///
    /// ```swift
    /// let transport = AsyncHTTPClientTransport()
    /// let service = try NonAuthenticatedNetworkController(baseURL: url, transport: transport)
    /// ```
    ///
    /// It remembers nothing between requests and adds nothing to them but what HTTP asks for, and it does **not follow
    /// redirects**. A request whose method allows it (RFC 9110 section 9.2.2) is sent once more when the connection was closed
    /// before the answer, as one that was kept for long may be. A body is read as it comes, no faster than it is taken up, and
    /// given up where it exceeds the limit.
    ///
    /// The `HTTPClient`, and with it the connections, is the transport's own: it is shut down when the last reference to the
    /// transport is gone, which the calls under way have too. There is nothing to shut down by hand. `HTTPClient.shared` would
    /// not do, nor any client made elsewhere, since whether redirects are followed is settled when a client is made. The
    /// threads belong to the event loop group, which the transport does not shut down; by default it is the one that all
    /// of the process shares.
    public final class AsyncHTTPClientTransport: NetworkTransport {
        private let client: HTTPClient

        /// A transport with connections of its own.
        ///
        /// ```swift
        /// let transport = AsyncHTTPClientTransport { configuration in
        ///     configuration.proxy = .server(host: "proxy.example.com", port: 8080)
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - eventLoopGroup: where connections live; it must outlive the transport.
        ///   - configure: changes what the client is configured with: nothing is decompressed, and a server that cannot be
        ///     reached is an error at once. That redirects are not followed cannot be changed.
        public init(
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
            configure: (inout HTTPClient.Configuration) -> Void = { _ in }
        ) {
            var configuration = HTTPClient.Configuration()
            // It would go on trying for as long as connecting may take. Whether to try again is for others to say.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Controllers keep time, and this one would include waiting for a connection while all of them are in use.
            configuration.timeout.connect = .hours(24)
            configure(&configuration)
            configuration.redirectConfiguration = .disallow
            client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        }

        deinit {
            // Nobody is left who could be told of a connection that does not close well.
            client.shutdown { _ in }
        }

        /// Sends a request and returns the whole answer, whatever its status.
        ///
        /// - Throws: `URLError` for a request without a URL, what the client throws when there is no answer,
        ///   `NetworkError` when it is larger than `responseLimit`, and `CancellationError` when the task is cancelled.
        public func send(
            _ request: HTTPRequest,
            body: Data?,
            responseLimit: Int
        ) async throws -> (HTTPResponse, Data) {
            let answer = try await execute(try HTTPClientRequest(request, body: body))
            let response = try HTTPResponse(answer)
            var collected = Data()
            // Leaving the loop early closes the connection.
            for try await chunk in answer.body {
                guard chunk.readableBytes <= responseLimit - collected.count else {
                    throw NetworkError.responseTooLarge(limit: responseLimit)
                }
                collected.append(contentsOf: chunk.readableBytesView)
            }
            return (response, collected)
        }

        private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
            // Controllers keep time, with a clock of their own.
            let deadline = NIODeadline.distantFuture
            do {
                return try await client.execute(request, deadline: deadline)
            } catch let error where request.method.isIdempotent && error.isClosedConnection {
                return try await client.execute(request, deadline: deadline)
            }
        }
    }

    extension Error {
        /// Whether the connection was closed before an answer came.
        ///
        /// That is how it shows that the server has meanwhile closed a connection which was kept for the next request.
        fileprivate var isClosedConnection: Bool {
            self as? HTTPClientError == .remoteConnectionClosed || self as? ChannelError == .ioOnClosedChannel
        }
    }

    extension HTTPMethod {
        /// Whether a request may be sent twice (RFC 9110, section 9.2.2).
        fileprivate var isIdempotent: Bool {
            [.GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE].contains(self)
        }
    }

    extension HTTPClientRequest {
        fileprivate init(_ request: HTTPRequest, body: Data?) throws {
            guard let scheme = request.scheme, let authority = request.authority, let path = request.path else {
                throw URLError(.badURL)
            }
            self.init(url: "\(scheme)://\(authority)\(path)")
            method = HTTPMethod(rawValue: request.method.rawValue)
            for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
            self.body = body.map { .bytes($0) }
        }
    }

    extension HTTPResponse {
        fileprivate init(_ answer: HTTPClientResponse) throws {
            let code = Int(answer.status.code)
            // Three digits are all that a status can have.
            guard (100...999).contains(code) else { throw URLError(.badServerResponse) }
            self.init(status: Status(code: code))
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
            }
        }
    }
#endif
