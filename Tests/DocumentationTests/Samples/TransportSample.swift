#if AsyncHTTPClient
    import AsyncHTTPClient
    import BackplaneNetworking
    import BackplaneConformance
    import BackplaneTesting
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import Testing

    /// A transport that sends requests over its own `HTTPClient`.
    final class ClientTransport: NetworkTransport {
        private let client: HTTPClient

        init() {
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.maximumUsesPerConnection = 1
            configuration.timeout.connect = .hours(24)
            client = HTTPClient(configuration: configuration)
        }

        deinit { client.shutdown { _ in } }

        func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
            guard let scheme = request.scheme, let authority = request.authority, let path = request.path else {
                throw URLError(.badURL)
            }
            var outgoing = HTTPClientRequest(url: "\(scheme)://\(authority)\(path)")
            outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
            for field in request.headerFields { outgoing.headers.add(name: field.name.rawName, value: field.value) }
            outgoing.body = body.map { .bytes($0) }

            try Task.checkCancellation()
            let answer = try await client.execute(outgoing, deadline: .distantFuture)
            guard (100...999).contains(answer.status.code) else { throw URLError(.badServerResponse) }
            var response = HTTPResponse(status: .init(code: Int(answer.status.code)))
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { response.headerFields.append(HTTPField(name: name, value: value)) }
            }

            var collected = Data()
            for try await chunk in answer.body {
                guard chunk.readableBytes <= responseLimit - collected.count else {
                    throw NetworkError.responseTooLarge(limit: responseLimit)
                }
                collected.append(contentsOf: chunk.readableBytesView)
            }
            return (response, collected)
        }
    }

    struct ClientTransportTests {
        @Test(arguments: NetworkTransportContract.allClauses)
        func `the transport satisfies the contract`(_ clause: NetworkTransportContract.Clause) async {
            await clause.check { ClientTransport() }
        }
    }
#endif
