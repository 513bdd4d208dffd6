import CampusModels
import HTTPTypes
import Hummingbird

/// A middleware that rejects requests without a valid access token (RFC 6750).
///
/// It stores the user and the session of the token in the context.
struct BearerMiddleware: RouterMiddleware {
    let sessions: SessionStore

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let token = request.bearerToken else { throw APIFailure.missingToken }
        guard let bearer = try await sessions.bearer(of: token) else { throw APIFailure.invalidToken }
        var context = context
        context.bearer = bearer
        do {
            return try await next(request, context)
        } catch let failure as APIFailure {
            throw failure.of(bearer.user.id.rawValue)
        }
    }
}

extension Request {
    /// The token of the `Authorization` header; `nil` if the header does not have the `Bearer`
    /// scheme.
    var bearerToken: OpaqueToken? {
        guard let header = headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return OpaqueToken(text: String(parts[1]))
    }
}
