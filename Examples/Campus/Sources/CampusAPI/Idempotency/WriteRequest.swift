import CampusModels
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// A user's request to write: its body, and what it is known again by.
struct WriteRequest<Body: Codable & Sendable>: Sendable {
    let user: User.ID
    let body: Body
    /// What the client calls this write, so that it is carried out once however often it is asked for.
    let key: String?
    /// The `If-Match` condition on what is written to.
    let ifMatch: String?
    /// Of method, path and body: two requests with the same key must be the same.
    ///
    /// The body is hashed as it was understood: a client may write the members of an object in another order the next time.
    let hash: Data

    /// Collects and decodes the body of `request`.
    ///
    /// - Throws: 400 when the key is empty or too long, or the body not what is expected.
    init(_ request: Request, _ context: SignedInContext) async throws {
        user = context.user.id
        key = request.headers[.idempotencyKey]
        ifMatch = request.headers[.ifMatch]
        // No more than a row should hold.
        if let key, !(1...255).contains(key.utf8.count) {
            throw APIFailure.badRequest("'Idempotency-Key' must have 1 to 255 characters.")
        }
        body = try await request.decodeBody(as: Body.self, context: context)
        var hasher = SHA256()
        hasher.update(data: Data("\(request.method) \(request.uri.path)\n".utf8))
        hasher.update(data: try JSONBody.encoder.encode(body))
        hash = Data(hasher.finalize())
    }
}

extension HTTPField.Name {
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotency-Key") else {
            preconditionFailure("The name of a constant header field is valid.")
        }
        return name
    }()
}
