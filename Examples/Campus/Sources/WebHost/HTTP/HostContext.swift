import Hummingbird
import NIOCore

/// The context of a request, with the other end of its connection.
struct HostContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The IP address of the other end, which may be a proxy.
    let peer: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }
}
