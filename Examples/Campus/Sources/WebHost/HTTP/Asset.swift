import Foundation
import HTTPTypes
import Hashing
import Hummingbird
import NIOCore

/// A file that every page uses, such as the script.
///
/// Browsers ask for it with each page, and get it only if it has changed (RFC 9110, 13.1.2).
struct Asset: Sendable {
    private let content: ByteBuffer
    private let headers: HTTPFields
    private let tag: String

    init(_ text: String, type: String) {
        content = ByteBuffer(string: text)
        tag = "\"\(Hashing.sha256(Data(text.utf8)).hexadecimal.prefix(32))\""
        headers = [.contentType: type, .cacheControl: "no-cache", .eTag: tag]
    }

    func response(to request: Request) -> Response {
        let known = request.headers[.ifNoneMatch] ?? ""
        let isKnown = known.split(separator: ",").contains { element in
            let element = element.drop { $0 == " " }
            return element == "*" || (element.hasPrefix("W/") ? element.dropFirst(2) : element) == tag
        }
        if isKnown { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: content))
    }
}
