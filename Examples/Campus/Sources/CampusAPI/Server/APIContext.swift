import CampusModels
import Hummingbird
import NIOCore

/// The context of a request, before and after its token is checked.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address from which the request came.
    let remoteAddress: String
    /// The user and the session of the request; `nil` until ``BearerMiddleware`` has checked the
    /// token.
    var bearer: Bearer?

    /// All bodies of this API are small; a larger one gets status 413.
    var maxUploadSize: Int { 16 * 1024 }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? ""
    }
}

/// The context of a request with a valid token.
///
/// A route in this context always has a user, and cannot be reached without one.
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
