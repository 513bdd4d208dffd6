import CampusModels
import Hummingbird
import NIOCore

/// The context of a request, before and after its token is checked.
struct APIContext: RequestContext {
    /// The maximum size of a body in bytes; a larger one gets status 413.
    ///
    /// All bodies of this API are small.
    static let bodyLimit = 16 * 1024

    var coreContext: CoreRequestContextStorage
    /// The client that sent the request: the one that opened the connection, unless
    /// ``ForwardedClientMiddleware`` knows that it is the app.
    var client: ClientAddress
    /// The user and the session of the request; `nil` until ``BearerMiddleware`` has checked the
    /// token.
    var bearer: Bearer?

    var maxUploadSize: Int { Self.bodyLimit }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        client = ClientAddress(source.channel.remoteAddress)
    }

    /// Creates the context of a request without a connection.
    init(core: CoreRequestContextStorage) {
        coreContext = core
        client = ClientAddress(nil)
    }
}

/// The context of a request with a valid token.
///
/// A route in this context always has a user, and cannot be reached without one.
struct SignedInContext: ChildRequestContext {
    typealias ParentContext = APIContext

    var coreContext: CoreRequestContextStorage
    let client: ClientAddress
    let bearer: Bearer
    var user: User { bearer.user }

    var maxUploadSize: Int { APIContext.bodyLimit }

    init(context: APIContext) throws {
        guard let bearer = context.bearer else { throw APIFailure.missingToken }
        self.coreContext = context.coreContext
        self.client = context.client
        self.bearer = bearer
    }
}
