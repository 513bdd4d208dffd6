import BackplaneConcurrency
import BackplaneNetworking
import Foundation
import HTTPTypes

/// A transport that has no network while it is told so.
struct SwitchedTransport: NetworkTransport {
    let isOffline: Locked<Bool>
    let transport: any NetworkTransport

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        if isOffline.withLock({ $0 }) { throw URLError(.notConnectedToInternet) }
        return try await transport.send(request, body: body, responseLimit: responseLimit)
    }
}
