import HTTPTypes
import Hummingbird

/// Finds out whose access token a request carries (RFC 6750), and lets no request pass without a valid one.
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
        return try await next(request, context)
    }
}

extension Request {
    /// The token of the `Authorization` header, if that has the `Bearer` scheme.
    var bearerToken: OpaqueToken? {
        guard let header = headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return OpaqueToken(text: String(parts[1]))
    }
}
