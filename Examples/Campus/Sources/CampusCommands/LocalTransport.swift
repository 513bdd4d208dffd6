import BackplaneNetworking
import CampusAPI
import Foundation
import HTTPTypes

/// A transport to an API in the same process.
struct LocalTransport: NetworkTransport {
    let api: LocalAPI

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let (response, content) = try await api.respond(to: request, body: body)
        guard content.count <= responseLimit else { throw NetworkError.responseTooLarge(limit: responseLimit) }
        return (response, content)
    }
}
