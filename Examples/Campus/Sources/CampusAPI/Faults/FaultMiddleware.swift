import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// A middleware that applies the faults to requests, before any other handler.
struct FaultMiddleware: RouterMiddleware {
    let injector: FaultInjector

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let subject = FaultInjector.Subject(
            path: request.uri.path,
            carriesToken: request.bearerToken != nil,
            writes: ![.get, .head].contains(request.method)
        )
        let fate: FaultInjector.Fate
        do {
            // A delayed response must not delay a server that is shutting down.
            fate = try await cancelWhenGracefulShutdown { try await injector.apply(to: subject) }
        } catch is CancellationError {
            throw APIFailure.unavailable
        }
        let response = try await next(request, context)
        switch fate {
        case .responded: return response
        case .unheard: throw APIFailure.unavailable
        case .lost: return Response(status: .ok, body: ResponseBody(contentLength: 1) { _ in throw Lost() })
        case .garbled:
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Welcome to the network of the campus."))
            )
        }
    }
}

/// The reason why the connection of a lost response is closed.
private struct Lost: Error {}
