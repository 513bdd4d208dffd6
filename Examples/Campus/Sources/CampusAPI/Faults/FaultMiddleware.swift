import Hummingbird
import ServiceLifecycle

/// Lets requests suffer the faults, before anything else looks at them.
struct FaultMiddleware: RouterMiddleware {
    let injector: FaultInjector

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        let carriesToken = request.bearerToken != nil
        do {
            // A slow answer must not hold up a server that is shutting down.
            try await cancelWhenGracefulShutdown { try await injector.apply(to: path, carriesToken: carriesToken) }
        } catch is CancellationError {
            throw APIFailure.unavailable
        }
        return try await next(request, context)
    }
}
