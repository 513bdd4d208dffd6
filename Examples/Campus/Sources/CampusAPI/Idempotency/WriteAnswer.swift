import Foundation
import HTTPTypes
import Hummingbird

/// The answer to a write, in bytes, so that it can be kept and given again as it was.
struct WriteAnswer: ResponseGenerator {
    let status: Int
    /// The revision of what was written, as it stands in the `ETag` header.
    let entityTag: String?
    let body: Data

    /// An answer of parts that were kept.
    init(status: Int, entityTag: String?, body: Data) {
        self.status = status
        self.entityTag = entityTag
        self.body = body
    }

    /// An answer whose body is `value` as JSON.
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
