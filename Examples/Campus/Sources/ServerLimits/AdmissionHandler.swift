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

    private let connections: ConnectionCount
    private let proxies: Set<String>
    private var state = State.undecided(isReadPending: false)

    init(connections: ConnectionCount, proxies: Set<String>) {
        self.connections = connections
        self.proxies = proxies
    }

    func channelActive(context: ChannelHandlerContext) {
        let (channel, connections) = (context.channel, connections)
        let address = channel.remoteAddress?.ipAddress ?? "unknown"
        let networks = ClientNetworks(of: address)
        let client = proxies.contains(address) || proxies.contains(networks.client) ? nil : networks
        context.eventLoop.makeFutureWithTask { await connections.open(from: client) }
            .assumeIsolated()
            .whenSuccess { refusal in
                if refusal == nil {
                    channel.closeFuture.whenComplete { _ in Task { await connections.close(from: client) } }
                }
                self.decide(refusal, context)
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

    private func decide(_ refusal: ConnectionCount.Refusal?, _ context: ChannelHandlerContext) {
        guard case .undecided(let isReadPending) = state else { return }
        state = refusal == nil ? .admitted : .refused
        if isReadPending { context.read() }
        guard let refusal else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: refusal.response)), promise: nil)
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { context.close(promise: nil) }
    }
}

extension ConnectionCount.Refusal {
    /// The bytes that the client gets.
    fileprivate var response: String {
        let (status, wait, body) =
            switch self {
            case .serverIsFull:
                ("503 Service Unavailable", 1, "The server has too many connections. Try again in a second.\n")
            case .networkIsFull:
                ("429 Too Many Requests", 10, "Your network has too many connections. Close some of them.\n")
            }
        return """
            HTTP/1.1 \(status)\r
            Retry-After: \(wait)\r
            Connection: close\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }
}
