import CampusModels
import GRDB
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// A middleware that gives every error response the same typed body.
///
/// It handles errors of routes, errors of the framework and programming errors. It also writes the
/// failures that matter for security into their log.
struct ErrorBodyMiddleware: RouterMiddleware {
    let log: SecurityLog

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = failure(for: error, context: context)
            if let event = failure.event { log.record(event, user: failure.user, client: context.client) }
            return try failure.response(from: request, context: context)
        }
    }

    private func failure(for error: any Error, context: APIContext) -> APIFailure {
        switch error {
        case let failure as APIFailure:
            return failure
        case is NIOTooManyBytesError:
            return .contentTooLarge
        case is HTTPParserError:
            return .invalidFraming
        case let error as HTTPError where error.status == .notFound:
            return APIFailure(.notFound, .notFound, "The API has nothing at this path.")
        case let error as HTTPError where (400..<500).contains(error.status.code):
            return APIFailure(error.status, .badRequest, error.status.reasonPhrase, headers: error.headers)
        default:
            // The text of an unknown error may repeat the body. The text of a database error does
            // not, because GRDB omits the arguments.
            let description = (error as? DatabaseError).map(String.init(describing:))
            context.logger.error(
                "The request failed",
                metadata: ["error": "\(description ?? String(reflecting: type(of: error)))"]
            )
            return .internalError
        }
    }
}
