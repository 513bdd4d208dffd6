import CampusModels
import Foundation
import HTTPTypes
import Hashing
import Hummingbird

/// A user's write request, with its body and the properties that identify a repeated request.
struct WriteRequest<Body: Codable & ValidatedBody & Sendable>: Sendable {
    let user: User.ID
    let body: Body
    /// The client's key for this write, so that repeated requests carry it out only once.
    let key: String?
    /// The `If-Match` condition on the value to change.
    let ifMatch: String?
    /// The hash of method, path and body: two requests with the same key must have the same hash.
    ///
    /// The decoded body is hashed, because a repeated request may have the members of an object in
    /// another order.
    let hash: Data

    /// Collects and decodes the body of `request`.
    ///
    /// - Throws: status 400 if the key or the body is not valid, or status 422 if the content of
    ///   the body is not allowed.
    init(_ request: Request, _ context: SignedInContext) async throws {
        user = context.user.id
        key = request.headers[.idempotencyKey]
        ifMatch = request.headers[.ifMatch]
        // A longer key should not be stored in a row.
        if let key, !(1...255).contains(key.utf8.count) {
            throw APIFailure.badRequest("'Idempotency-Key' must have 1 to 255 characters.")
        }
        if let key { try TextRule.id.check(key, named: "'Idempotency-Key'", failingWith: .badRequest) }
        body = try await request.decodeBody(as: Body.self, context: context)
        hash = Hashing.sha256(
            Data("\(request.method) \(request.uri.path)\n".utf8) + (try JSONBody.encoder.encode(body))
        )
    }
}

extension HTTPField.Name {
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    static let idempotencyKey = constant("Idempotency-Key")
}
