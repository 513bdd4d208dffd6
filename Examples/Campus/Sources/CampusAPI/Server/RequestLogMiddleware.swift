import Hummingbird
import Logging

/// A middleware that logs method, path and status of each request.
///
/// It omits query, headers and bodies, because they may contain tokens and passwords.
struct RequestLogMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        context.logger.info(
            "\(request.method) \(request.uri.path) \(response.status.code)",
            metadata: ["duration": "\(ContinuousClock.now - start)"]
        )
        return response
    }
}
