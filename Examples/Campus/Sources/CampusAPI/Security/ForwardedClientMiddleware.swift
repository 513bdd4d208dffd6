import CampusModels
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// A middleware that takes the client's address from the app, if the app proves that it is the app.
///
/// Without the key, the client is the one that opened the connection.
struct ForwardedClientMiddleware: RouterMiddleware {
    private let key: SymmetricKey?
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
        // SymmetricKey compares in constant time.
        guard let key, Self.digest(claim) == key else {
            log.record(.wrongAppKey, client: context.client)
            return try await next(request, context)
        }
        var context = context
        if let client = request.headers[.clientAddress].flatMap({ ClientAddress(text: $0) }) { context.client = client }
        return try await next(request, context)
    }

    /// Returns a hash, so that the comparison does not depend on the lengths either.
    private static func digest(_ text: String) -> SymmetricKey {
        SymmetricKey(data: SHA256.hash(data: Data(text.utf8)))
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
