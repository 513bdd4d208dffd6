import Foundation
import HTTPTypes
import Hummingbird

/// A response whose body is a value as JSON.
struct JSON<Value: Encodable>: ResponseGenerator {
    private let value: Value
    private let status: HTTPResponse.Status
    private let headers: HTTPFields

    init(_ value: Value, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        self.value = value
        self.status = status
        self.headers = headers
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try JSONBody.encoder.encode(value, from: request, context: context)
        response.status = status
        response.headers.append(contentsOf: headers)
        return response
    }
}

/// The encoding of values as bodies.
enum JSONBody {
    /// An encoder that encodes equal values as equal bodies.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension Request {
    /// Decodes the body and checks its content.
    ///
    /// - Throws: ``APIFailure``. Its message names the wrong member but repeats nothing of the
    ///   body, which may contain a password.
    func decodeBody<Value: ValidatedBody>(as type: Value.Type, context: some RequestContext) async throws -> Value {
        let buffer = try await body.collect(upTo: context.maxUploadSize)
        do {
            let value = try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
            try value.validate()
            return value
        } catch DecodingError.keyNotFound(let key, let context) {
            throw APIFailure.badRequest("\(place(context.codingPath + [key])) is missing.")
        } catch DecodingError.valueNotFound(_, let context) {
            throw APIFailure.badRequest("\(place(context.codingPath)) is null.")
        } catch DecodingError.typeMismatch(_, let context) {
            throw APIFailure.badRequest("\(place(context.codingPath)) has the wrong type.")
        } catch is DecodingError {
            throw APIFailure.badRequest("The body is not valid JSON.")
        }
    }

    private func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "The body" : "'\(path.map(\.stringValue).joined(separator: "."))' of the body"
    }
}
