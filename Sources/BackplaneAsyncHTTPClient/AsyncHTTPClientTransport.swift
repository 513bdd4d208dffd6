#if AsyncHTTPClient
    public import AsyncHTTPClient
    public import BackplaneNetworking
    public import Foundation
    public import HTTPTypes
    public import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix

    /// A transport over AsyncHTTPClient, for servers and for clients with many concurrent requests.
    ///
    /// ```swift
    /// let transport = AsyncHTTPClientTransport()
    /// let service = try NonAuthenticatedNetworkController(baseURL: url, transport: transport)
    /// ```
    ///
    /// It keeps nothing between requests and adds only the fields that HTTP requires. It does **not
    /// follow redirects**. A server may close a connection that was kept open, before it responds.
    /// Then the transport sends a request that only reads once more. Any other request fails,
    /// because the server may have carried it out. The transport reads a body only as fast as it is
    /// consumed, and stops when the body exceeds the limit.
    ///
    /// The transport owns its `HTTPClient` and therefore its connections. It shuts the client down
    /// when the last reference to the transport is released. Running calls hold such a reference.
    /// You do not shut anything down yourself. The transport cannot use `HTTPClient.shared` or
    /// another existing client, because the redirect setting is fixed when a client is created. The
    /// threads belong to the event loop group, which the transport does not shut down. By default,
    /// it is the group that the whole process shares.
    public final class AsyncHTTPClientTransport: NetworkTransport {
        private let client: HTTPClient

        /// Creates a transport with its own connections.
        ///
        /// ```swift
        /// let transport = AsyncHTTPClientTransport { configuration in
        ///     configuration.proxy = .server(host: "proxy.example.com", port: 8080)
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - eventLoopGroup: The event loop group of the connections. It must outlive the
        ///     transport.
        ///   - configure: A closure that changes the configuration of the client. By default,
        ///     nothing is decompressed, and an unreachable server is an immediate error. It cannot
        ///     enable redirects.
        public init(
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
            configure: (inout HTTPClient.Configuration) -> Void = { _ in }
        ) {
            var configuration = HTTPClient.Configuration()
            // Otherwise the client would retry for the whole connect timeout. Other code decides
            // about retries.
            configuration.connectionPool.retryConnectionEstablishment = false
            // Controllers have their own timeouts. This timeout would include waiting for a
            // connection while all of them are in use.
            configuration.timeout.connect = .hours(24)
            configure(&configuration)
            configuration.redirectConfiguration = .disallow
            client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        }

        deinit {
            // No caller is left who could learn of a connection that does not close properly.
            client.shutdown { _ in }
        }

        /// Sends a request and returns the complete response of any status.
        ///
        /// - Throws: `URLError` for a request without a URL, and `URLError.cannotConnectToHost` if
        ///   no connection was made. Otherwise the error of the client if there is no response,
        ///   `NetworkError` if the response is larger than `responseLimit`, and `CancellationError`
        ///   if the task is cancelled.
        public func send(
            _ request: HTTPRequest,
            body: Data?,
            responseLimit: Int
        ) async throws -> (HTTPResponse, Data) {
            // The client notices a cancellation only after it has begun to send.
            try Task.checkCancellation()
            let clientResponse = try await execute(
                try HTTPClientRequest(request, body: body),
                resends: request.method.isSafe
            )
            let response = try HTTPResponse(clientResponse)
            var collected = Data()
            // Leaving the loop early closes the connection.
            for try await chunk in clientResponse.body {
                guard chunk.readableBytes <= responseLimit - collected.count else {
                    throw NetworkError.responseTooLarge(limit: responseLimit)
                }
                collected.append(contentsOf: chunk.readableBytesView)
            }
            return (response, collected)
        }

        private func execute(_ request: HTTPClientRequest, resends: Bool) async throws -> HTTPClientResponse {
            // Controllers have their own timeouts and clock.
            let deadline = NIODeadline.distantFuture
            do {
                return try await client.execute(request, deadline: deadline)
            } catch let error where resends && error.isClosedConnection {
                // D41: A sign-out cancels the task.
                try Task.checkCancellation()
                return try await client.execute(request, deadline: deadline)
            } catch let error where error.isFailureToConnect {
                throw URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: error])
            }
        }
    }

    extension Error {
        /// Whether the connection closed before a response arrived.
        ///
        /// This is the symptom of a kept connection that the server has closed meanwhile.
        fileprivate var isClosedConnection: Bool {
            self as? HTTPClientError == .remoteConnectionClosed || self as? ChannelError == .ioOnClosedChannel
        }

        /// Whether no connection was made, so that the server cannot have received the request.
        fileprivate var isFailureToConnect: Bool {
            // The first is the error for a name, the second the one for an address.
            self is NIOConnectionError || (self as? IOError)?.errnoCode == ECONNREFUSED
                || self as? HTTPClientError == .connectTimeout
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
        fileprivate init(_ clientResponse: HTTPClientResponse) throws {
            let code = Int(clientResponse.status.code)
            // A status has at most three digits.
            guard (100...999).contains(code) else { throw URLError(.badServerResponse) }
            self.init(status: Status(code: code))
            for (name, value) in clientResponse.headers {
                if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
            }
        }
    }
#endif
