import HummingbirdCore
import Logging
import NIOCore

/// An HTTP/1 connection with time-outs, or a refusal if there are too many connections.
struct LimitedChannel: ServerChildChannel {
    private let http: HTTP1Channel
    private let connections: ConnectionCount
    private let proxies: Set<String>

    init(limits: ServerLimits, responder: @escaping HTTPChannelHandler.Responder, logger: Logger) {
        http = HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [DeadlineHandler(limits: limits, logger: logger)],
                idleTimeout: TimeAmount(limits.idleTimeout)
            )
        )
        connections = ConnectionCount(limits, logger: logger)
        proxies = limits.proxies
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let (http, connections, proxies) = (http, connections, proxies)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AdmissionHandler(connections: connections, proxies: proxies))
        }
        .flatMap { http.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
