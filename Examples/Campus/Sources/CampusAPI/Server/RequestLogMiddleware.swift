import Hummingbird
import Logging

/// Logs a line for each answered request: method, path and status.
///
/// Query, headers and bodies, which may hold tokens and passwords, are left out.
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
