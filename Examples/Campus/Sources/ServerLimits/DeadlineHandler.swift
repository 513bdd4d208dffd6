import Logging
import NIOCore
import NIOHTTPTypes

/// A handler that closes the connection of a client that sends a request too slowly, or that does
/// not read its response.
///
/// Hummingbird closes a connection that is idle between two requests.
final class DeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limits: ServerLimits
    private let logger: Logger
    /// The end of the time for the current request; `nil` while the client owes none.
    private var requestDeadline: Scheduled<Void>?
    /// The end of the time in which the client must read; `nil` while the system takes all bytes.
    private var responseDeadline: Scheduled<Void>?

    init(limits: ServerLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        requestDeadline = closing(context, in: limits.headerTimeout, because: "no head of a request arrived in time")
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            requestDeadline?.cancel()
            requestDeadline = closing(context, in: limits.bodyTimeout, because: "a body did not arrive in time")
        case .body: break
        case .end:
            requestDeadline?.cancel()
            requestDeadline = nil
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        responseDeadline?.cancel()
        responseDeadline =
            context.channel.isWritable
            ? nil : closing(context, in: limits.idleTimeout, because: "the client does not read its response")
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        requestDeadline?.cancel()
        responseDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func closing(
        _ context: ChannelHandlerContext,
        in delay: Duration,
        because reason: String
    ) -> Scheduled<Void> {
        let logger = logger
        return context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
            logger.debug("A connection is closed, because \(reason)")
            context.close(promise: nil)
        }
    }
}
