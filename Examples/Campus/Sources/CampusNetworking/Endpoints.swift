public import BackplaneNetworking
public import CampusModels
import HTTPTypes

extension NonAuthenticatedEndpoint<NetworkTokens> {
    /// Logs in.
    ///
    /// - Parameters:
    ///   - request: who logs in.
    ///   - client: what the user logs in with, as it calls itself in `User-Agent`; what sends the request if nil.
    /// - Returns: the endpoint.
    public static func login(_ request: LoginRequest, client: String? = nil) -> Self {
        var headers: HTTPFields = [:]
        headers[.userAgent] = client
        return Self(.post("login", headers: headers, body: .json(request)))
    }

    /// Exchanges a refresh token, which is used up by it.
    public static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("token/refresh", body: .json(RefreshRequest(refreshToken: token.rawValue))))
    }
}

extension NonAuthenticatedEndpoint<Void> {
    /// Makes the server forget tokens.
    ///
    /// It names them itself, since nobody is signed in any more when it is called.
    public static func logout(_ tokens: NetworkTokens) -> Self {
        Self(.post("logout", headers: [.authorization: "Bearer \(tokens.access.rawValue)"]))
    }
}

extension AuthenticatedEndpoint<User> {
    /// The user whose tokens the request carries.
    public static var me: Self { Self(.get("me")) }
}

extension AuthenticatedEndpoint<[UserSession]> {
    /// The user's sessions, first the one that the request belongs to.
    public static var sessions: Self { Self(.get("sessions")) }
}

extension AuthenticatedEndpoint<Void> {
    /// Logs the user out of a session.
    public static func endSession(_ id: UserSession.ID) -> Self { Self(.delete("sessions/\(id)")) }

    /// Logs the user out of all sessions but the one that the request belongs to.
    public static var endOtherSessions: Self { Self(.delete("sessions")) }
}

extension AuthenticatedEndpoint<[Course]> {
    /// The user's courses.
    public static var courses: Self { Self(.get("courses")) }
}

extension AuthenticatedEndpoint<Course> {
    /// A course, without its sections.
    public static func course(_ id: Course.ID) -> Self { Self(.get("courses/\(id)")) }
}

extension AuthenticatedEndpoint<Tutor> {
    /// Who teaches a course.
    public static func tutor(of id: Course.ID) -> Self { Self(.get("courses/\(id)/tutor")) }
}

extension AuthenticatedEndpoint<[ScheduleItem]> {
    /// When and where a course takes place.
    public static func schedule(of id: Course.ID) -> Self { Self(.get("courses/\(id)/schedule")) }
}

extension AuthenticatedEndpoint<[Todo]> {
    /// What there is to do for a course.
    public static func todos(of id: Course.ID) -> Self { Self(.get("courses/\(id)/todos")) }
}

extension AuthenticatedEndpoint<Todo> {
    /// Ticks a to-do of a course, or takes the tick back; gives the to-do with its new revision.
    public static func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange) -> Self {
        Self(.put("courses/\(course)/todos/\(todo)", body: .json(change)))
    }
}

extension AuthenticatedEndpoint<[Contact]> {
    /// Whom the user can write to.
    public static var contacts: Self { Self(.get("contacts")) }
}

extension AuthenticatedEndpoint<[Message]> {
    /// What the user has written, the newest first.
    public static var messages: Self { Self(.get("messages")) }
}

extension AuthenticatedEndpoint<Message> {
    /// Sends a message; give it an idempotency key, or it may arrive twice when it is sent again.
    public static func send(_ message: NewMessage) -> Self { Self(.post("messages", body: .json(message))) }
}

extension AuthenticatedEndpoint<[Product.ID]> {
    /// The products that the user likes.
    public static var favorites: Self { Self(.get("favorites")) }
}

extension AuthenticatedEndpoint<Void> {
    /// Makes a product one of the user's favorites; it may be one already.
    public static func addFavorite(_ product: Product.ID) -> Self { Self(.put("favorites/\(product)")) }

    /// Makes a product no favorite of the user's any more.
    public static func removeFavorite(_ product: Product.ID) -> Self { Self(.delete("favorites/\(product)")) }
}

extension AuthenticatedEndpoint<[Purchase]> {
    /// What the user has bought, the newest first.
    public static var purchases: Self { Self(.get("purchases")) }
}

extension AuthenticatedEndpoint<Purchase> {
    /// Buys something; give it an idempotency key, or a lost answer may cost the user twice.
    public static func purchase(_ new: NewPurchase) -> Self { Self(.post("purchases", body: .json(new))) }
}

extension NonAuthenticatedEndpoint<[Product]> {
    /// What the campus shop has.
    public static var catalog: Self { Self(.get("catalog")) }
}

extension NonAuthenticatedEndpoint<Product> {
    /// One product of the campus shop.
    public static func product(_ id: Product.ID) -> Self { Self(.get("catalog/\(id)")) }
}
