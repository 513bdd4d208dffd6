import NIOCore
import NIOPosix

/// A request that is sent unchanged; other clients would repair or refuse it first.
enum RawRequest {
    /// Sends `GET target` and returns the whole response.
    static func get(_ target: String, port: Int) async throws -> String {
        try await send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", port: port)
    }

    /// Sends these bytes and returns the whole response.
    static func send(_ request: String, port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            do {
                try await outbound.write(ByteBuffer(string: request))
            } catch ChannelError.ioOnClosedChannel {
                // The server has closed the connection. The response can still be read.
            }
            var reply = ""
            for try await part in inbound { reply += String(buffer: part) }
            return reply
        }
    }
}
