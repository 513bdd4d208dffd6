import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A minimal server on this machine, which responds to every request at once.
///
/// It rejects requests with the token `dead`. A refresh returns the token `alive`.
struct LoopbackServer {
    let url: URL
    private let channel: any Channel

    init() async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        guard let port = channel.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw URLError(.cannotConnectToHost)
        }
        self.url = url
    }

    func stop() async throws {
        try await channel.close()
    }
}

private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let user = ByteBuffer(string: #"{"name":"Ada"}"#)
    private static let tokens = ByteBuffer(string: #"{"access_token":"alive","refresh_token":"r2","expires_in":900}"#)

    private var answer: (status: HTTPResponseStatus, body: ByteBuffer) = (.ok, Answering.user)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where head.uri == "/token/refresh":
            answer = (.ok, Self.tokens)
        case .head(let head) where head.headers.first(name: "Authorization") == "Bearer dead":
            answer = (.unauthorized, ByteBuffer())
        case .head:
            answer = (.ok, Self.user)
        case .body: break
        case .end:
            let headers: HTTPHeaders = [
                "Content-Type": "application/json", "Content-Length": "\(answer.body.readableBytes)",
            ]
            let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
