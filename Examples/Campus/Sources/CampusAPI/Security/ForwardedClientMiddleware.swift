import CampusModels
import Foundation
import HTTPTypes
import Hashing
import Hummingbird

/// A middleware that takes the client's address from the app, if the app proves that it is the app.
///
/// Without the key, the client is the one that opened the connection.
struct ForwardedClientMiddleware: RouterMiddleware {
    private let key: Data?
    private let log: SecurityLog

    init(key: AppKey?, log: SecurityLog) {
        self.key = key.map { Self.digest($0.rawValue) }
        self.log = log
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let claim = request.headers[.appKey] else { return try await next(request, context) }
        guard let key, Hashing.areEqual(Self.digest(claim), key) else {
            log.record(.wrongAppKey, client: context.client)
            return try await next(request, context)
        }
        var context = context
        if let client = request.headers[.clientAddress].flatMap({ ClientAddress(text: $0) }) { context.client = client }
        return try await next(request, context)
    }

    /// Returns a hash, so that the comparison does not depend on the lengths either.
    private static func digest(_ text: String) -> Data {
        Hashing.sha256(Data(text.utf8))
    }
}

extension HTTPField.Name {
    fileprivate static let appKey = constant(ForwardedClient.keyField)
    fileprivate static let clientAddress = constant(ForwardedClient.addressField)

    /// Returns the name of a header field that is known to be valid.
    static func constant(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("The name of a constant header field is valid.")
        }
        return name
    }
}
