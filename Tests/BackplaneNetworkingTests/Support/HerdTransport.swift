import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// A server without sockets, of which ten thousand would be too many: it counts the tokens that requests carry.
final class HerdTransport: NetworkTransport {
    /// What the refresh waits for.
    let gate = AsyncLatch()
    /// How many requests came with which access token, or as a refresh.
    let seen = Watched<[String: Int]>([:])

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let token = request.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
        seen.update { $0[token ?? "refresh", default: 0] += 1 }
        guard token == nil else { return (HTTPResponse(status: .ok), Data(#"{"name":"Ada"}"#.utf8)) }
        await gate.wait()
        return (HTTPResponse(status: .ok), Data(#"{"access_token":"access-1","refresh_token":"refresh-2"}"#.utf8))
    }
}
