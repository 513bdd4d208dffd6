internal import BackplaneConcurrency
package import Foundation
package import HTTPTypes

/// A successful response as the server sent it.
package struct ServerReply: Sendable {
    package let response: HTTPResponse
    package let body: Data

    package init(response: HTTPResponse, body: Data) {
        self.response = response
        self.body = body
    }

    /// The entity tag of the response.
    package var entityTag: String? { response.headerFields[.eTag]?.strongEntityTag }
}
