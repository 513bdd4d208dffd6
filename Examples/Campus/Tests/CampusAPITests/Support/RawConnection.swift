import Foundation
import NIOCore
import NIOPosix
import Testing

/// A connection that sends bytes unchanged; other clients would repair or refuse them.
enum RawConnection {
    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Connects to an API, and closes the connection after `body`.
    static func open<Value: Sendable>(
        to api: APIClient,
        _ body: @Sendable (Inbound, Outbound) async throws -> Value
    ) async throws -> Value {
        let port = try #require(URL(string: api.url)?.port)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in try await body(inbound, outbound) }
    }

    /// Sends `text` and returns all that the server sends until it closes the connection.
    static func reply(to text: String, from api: APIClient) async throws -> String {
        try await open(to: api) { inbound, outbound in
            do {
                try await outbound.write(ByteBuffer(string: text))
            } catch ChannelError.ioOnClosedChannel {
                // The server has closed the connection. The response can still be read.
            }
            var reply = ""
            for try await part in inbound { reply += String(buffer: part) }
            return reply
        }
    }

    /// Sends a request without a body and returns the whole response.
    static func get(
        _ target: String,
        token: String? = nil,
        method: String = "GET",
        from api: APIClient
    ) async throws -> String {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(authorization)\r\n"
        return try await reply(to: head, from: api)
    }
}
