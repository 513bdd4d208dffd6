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

    /// Connects clients that send nothing, and that keep their connections until `body` returns.
    ///
    /// `body` gets what the clients receive.
    static func hold(
        _ count: Int,
        to api: APIClient,
        _ body: (AsyncStream<String>) async throws -> Void
    ) async throws {
        let port = try #require(URL(string: api.url)?.port)
        let (replies, reply) = AsyncStream<String>.makeStream()
        // Without the option, the end of a response would close the client's side, too.
        let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(replies: reply))
                }
            }
        var channels: [any Channel] = []
        for _ in 0..<count { channels.append(try await client.connect(host: "127.0.0.1", port: port).get()) }
        try await body(replies)
        for channel in channels { try? await channel.close() }
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

    /// A handler that passes on what a client receives.
    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let replies: AsyncStream<String>.Continuation

        init(replies: AsyncStream<String>.Continuation) {
            self.replies = replies
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            replies.yield(String(buffer: unwrapInboundIn(data)))
        }
    }
}
