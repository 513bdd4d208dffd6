import Foundation
import HTTPTypes
import Hummingbird

/// The response to a write, as bytes that can be stored and returned again unchanged.
struct WriteResponse: ResponseGenerator {
    let status: Int
    /// The revision of the changed value, as in the `ETag` header.
    let entityTag: String?
    let body: Data

    /// Creates a response from stored parts.
    init(status: Int, entityTag: String?, body: Data) {
        self.status = status
        self.entityTag = entityTag
        self.body = body
    }

    /// Creates a response whose body is `value` as JSON.
    init(_ value: some Encodable, status: HTTPResponse.Status = .ok, entityTag: EntityTag? = nil) throws {
        self.init(status: status.code, entityTag: entityTag?.description, body: try JSONBody.encoder.encode(value))
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        headers[.eTag] = entityTag
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
