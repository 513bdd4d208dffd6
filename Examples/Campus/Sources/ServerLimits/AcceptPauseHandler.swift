import Logging
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A handler of a server's channel that stops accepting for a second when the system has no room
/// for a connection.
///
/// Without it, the channel stays interested in new connections after the system has refused one. So
/// it tries again at once, without end and without a log line.
final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private static let exhaustion: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    /// Adds a handler to the channel of a server that is running.
    static func add(to channel: any Channel, logger: Logger) async {
        let addition = channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(logger: logger), position: .first)
        }
        do {
            try await addition.get()
        } catch {
            logger.error("The server does not pause when it cannot accept connections", metadata: ["error": "\(error)"])
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.exhaustion.contains(error.errnoCode) else {
            context.fireErrorCaught(error)
            return
        }
        logger.error("No connection can be accepted; the next attempt is in a second", metadata: ["error": "\(error)"])
        let channel = context.channel
        Self.set(isAccepting: false, channel)
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { Self.set(isAccepting: true, channel) }
    }

    private static func set(isAccepting: Bool, _ channel: any Channel) {
        // It fails only if the channel is closed.
        _ = try? channel.syncOptions?.setOption(ChannelOptions.autoRead, value: isAccepting)
    }
}
