import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// A transport that counts the access tokens of requests.
///
/// It replaces a server, because ten thousand sockets would be too many.
final class HerdTransport: NetworkTransport {
    /// The latch that a refresh waits for.
    let gate = AsyncLatch()
    /// The number of requests for each access token, and the number of refreshes.
    let seen = Watched<[String: Int]>([:])

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let token = request.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
        seen.update { $0[token ?? "refresh", default: 0] += 1 }
        guard token == nil else { return (HTTPResponse(status: .ok), Data(#"{"name":"Ada"}"#.utf8)) }
        await gate.wait()
        return (HTTPResponse(status: .ok), Data(#"{"access_token":"access-1","refresh_token":"refresh-2"}"#.utf8))
    }
}
