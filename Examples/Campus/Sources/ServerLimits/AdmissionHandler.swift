import NIOCore

/// A handler that reads nothing from a connection until it is counted, and refuses it if there are
/// too many.
///
/// It is the first handler, so the others see no request of a refused connection. A refused
/// connection stays open for a moment, because a system may discard the response if unread bytes
/// are left.
final class AdmissionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case undecided(isReadPending: Bool)
        case admitted
        case refused
    }

    private static let body = "The server has too many connections. Try again in a second.\n"
    private static let response = """
        HTTP/1.1 503 Service Unavailable\r
        Retry-After: 1\r
        Connection: close\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """

    private let connections: ConnectionCount
    private var state = State.undecided(isReadPending: false)

    init(connections: ConnectionCount) {
        self.connections = connections
    }

    func channelActive(context: ChannelHandlerContext) {
        let (channel, connections) = (context.channel, connections)
        context.eventLoop.makeFutureWithTask { await connections.open() }
            .assumeIsolated()
            .whenSuccess { isServed in
                if isServed { channel.closeFuture.whenComplete { _ in Task { await connections.close() } } }
                self.decide(isServed: isServed, context)
            }
        context.fireChannelActive()
    }

    func read(context: ChannelHandlerContext) {
        if case .undecided = state {
            state = .undecided(isReadPending: true)
        } else {
            context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .admitted = state { context.fireChannelRead(data) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .refused = state, event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func decide(isServed: Bool, _ context: ChannelHandlerContext) {
        guard case .undecided(let isReadPending) = state else { return }
        state = isServed ? .admitted : .refused
        if isReadPending { context.read() }
        guard !isServed else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.response)), promise: nil)
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { context.close(promise: nil) }
    }
}
