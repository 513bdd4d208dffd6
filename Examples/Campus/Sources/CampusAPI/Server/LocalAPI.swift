public import Foundation
public import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A door to a running API in the same process, without a connection.
///
/// A request takes the same way as one from a connection, except for the limits of connections. It
/// has no client address of its own, so name the client with the key of the app.
public struct LocalAPI: Sendable {
    private struct Source: RequestContextSource {
        let logger: Logger
    }

    private let responder: any HTTPResponder<APIContext>
    private let logger: Logger

    init(responder: some HTTPResponder<APIContext>, logger: Logger) {
        self.responder = responder
        self.logger = logger
    }

    /// Responds to a request.
    ///
    /// - Parameters:
    ///   - request: the head of the request.
    ///   - body: the body of the request, if it has one.
    /// - Returns: the head of the response, and its body.
    /// - Throws: an error if there is no complete response.
    public func respond(to request: HTTPRequest, body: Data?) async throws -> (HTTPResponse, Data) {
        try Task.checkCancellation()
        let body = RequestBody(buffer: body.map { ByteBuffer(bytes: $0) } ?? ByteBuffer())
        let context = APIContext(core: CoreRequestContextStorage(source: Source(logger: logger)))
        let response = try await responder.respond(to: Request(head: request, body: body), context: context)
        let collected = CollectedBody()
        try await response.body.write(collected)
        return (response.head, collected.content)
    }
}

/// A writer that collects a body; it is written by one task.
private final class CollectedBody: ResponseBodyWriter {
    private(set) var content = Data()

    func write(_ buffer: ByteBuffer) { content.append(contentsOf: buffer.readableBytesView) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
