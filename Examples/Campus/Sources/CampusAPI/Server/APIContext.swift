import CampusModels
import Hummingbird
import NIOCore

/// What is known of a request before anybody has looked at its token.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address the request came from.
    let remoteAddress: String
    /// Whose request it is, once ``BearerMiddleware`` has found out.
    var bearer: Bearer?

    /// Every body of this API is small; a larger one is answered with 413.
    var maxUploadSize: Int { 16 * 1024 }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? ""
    }
}

/// A request with a valid token: a route in this context has a user, and cannot be reached without one.
struct SignedInContext: ChildRequestContext {
    typealias ParentContext = APIContext

    var coreContext: CoreRequestContextStorage
    let bearer: Bearer
    var user: User { bearer.user }

    init(context: APIContext) throws {
        guard let bearer = context.bearer else { throw APIFailure.missingToken }
        self.coreContext = context.coreContext
        self.bearer = bearer
    }
}
