import HTTPTypes
import Hummingbird

/// A middleware that refuses a body whose declared length is over the limit, on every route.
///
/// A body without a declared length is refused while it is read.
struct BodyLimitMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > APIContext.bodyLimit {
            throw APIFailure.contentTooLarge
        }
        return try await next(request, context)
    }
}
