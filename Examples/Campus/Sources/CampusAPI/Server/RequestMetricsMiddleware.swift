import CoreMetrics
import HTTPTypes
import Hummingbird

/// A middleware that counts and times requests by route, method and status.
///
/// The route is its template, such as `/courses/{id}`, so clients cannot make up routes.
/// Hummingbird has such a middleware, too. It waits for the end of the body, which a response to
/// HEAD loses.
struct RequestMetricsMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let dimensions = [
            ("route", context.endpointPath ?? "none"), ("method", request.method.rawValue),
            ("status", "\(response.status.code)"),
        ]
        Counter(label: "campus.api.requests", dimensions: dimensions).increment()
        let duration = (ContinuousClock.now - start) / .nanoseconds(1)
        Timer(label: "campus.api.request_duration", dimensions: dimensions).recordNanoseconds(Int64(duration))
        return response
    }
}
