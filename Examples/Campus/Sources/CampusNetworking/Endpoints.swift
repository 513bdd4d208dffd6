public import BackplaneNetworking
public import CampusModels
import HTTPTypes

extension NonAuthenticatedEndpoint<NetworkTokens> {
    /// Returns the endpoint that signs a user in.
    ///
    /// - Parameters:
    ///   - request: the user's e-mail address and password.
    ///   - client: the client's name for `User-Agent`; if `nil`, the HTTP client sends its own.
    ///   - forwarded: the client's address, and the key that lets the API believe it; if `nil`, the
    ///     API limits sign-ins by the address of the connection.
    /// - Returns: the endpoint.
    public static func login(
        _ request: LoginRequest,
        client: String? = nil,
        forwarded: ForwardedClient? = nil
    ) -> Self {
        var headers: HTTPFields = [:]
        headers[.userAgent] = client
        for (name, value) in [
            (ForwardedClient.addressField, forwarded?.address), (ForwardedClient.keyField, forwarded?.key.rawValue),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Self(.post("login", headers: headers, body: .json(request)))
    }

    /// Returns the endpoint that exchanges a refresh token, which can be used once.
    public static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("token/refresh", body: .json(RefreshRequest(refreshToken: token.rawValue))))
    }
}

extension AuthenticatedEndpoint<User> {
    /// The user whose token the request carries.
    public static var me: Self { Self(.get("me")) }
}

extension AuthenticatedEndpoint<[DeviceSession]> {
    /// The user's sessions; the session of the request comes first.
    public static var sessions: Self { Self(.get("sessions")) }
}

extension AuthenticatedEndpoint<Void> {
    /// Returns the endpoint that ends a session of the user.
    public static func endSession(_ id: DeviceSession.ID) -> Self { Self(.delete("sessions/\(id)")) }

    /// The endpoint that ends the session of the request.
    public static var logout: Self { Self(.post("logout")) }

    /// The endpoint that ends all sessions of the user, except the session of the request.
    public static var endOtherSessions: Self { Self(.delete("sessions")) }
}

extension AuthenticatedEndpoint<[Course]> {
    /// The user's courses.
    public static var courses: Self { Self(.get("courses")) }
}

extension AuthenticatedEndpoint<Course> {
    /// Returns the endpoint for a course, without its sections.
    public static func course(_ id: Course.ID) -> Self { Self(.get("courses/\(id)")) }
}

extension AuthenticatedEndpoint<Tutor> {
    /// Returns the endpoint for a course's tutor.
    public static func tutor(of id: Course.ID) -> Self { Self(.get("courses/\(id)/tutor")) }
}

extension AuthenticatedEndpoint<[ScheduleItem]> {
    /// Returns the endpoint for a course's weekly appointments.
    public static func schedule(of id: Course.ID) -> Self { Self(.get("courses/\(id)/schedule")) }
}

extension AuthenticatedEndpoint<[Todo]> {
    /// Returns the endpoint for a course's to-dos.
    public static func todos(of id: Course.ID) -> Self { Self(.get("courses/\(id)/todos")) }
}

extension AuthenticatedIdempotentEndpoint<Todo> {
    /// Returns the endpoint that ticks or unticks a to-do; its value is the to-do with a new
    /// revision.
    public static func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange) -> Self {
        Self(.put("courses/\(course)/todos/\(todo)", body: .json(change)))
    }
}

extension AuthenticatedEndpoint<[Contact]> {
    /// The contacts that the user can write to.
    public static var contacts: Self { Self(.get("contacts")) }
}

extension AuthenticatedEndpoint<MessagePage> {
    /// Returns the endpoint for a page of the user's sent messages, newest first.
    ///
    /// - Parameters:
    ///   - before: the ``MessagePage/next`` of the last page; `nil` for the newest messages.
    ///   - limit: the largest number of messages, within ``MessagePage/limits``.
    /// - Returns: the endpoint.
    public static func messages(before: Message.ID? = nil, limit: Int = MessagePage.standardLimit) -> Self {
        Self(.get("messages", query: ["limit": limit, "before": before?.rawValue]))
    }
}

extension AuthenticatedIdempotentEndpoint<Message> {
    /// Returns the endpoint that sends a message; with its key, a repeated message arrives once.
    public static func send(_ message: NewMessage) -> Self { Self(.post("messages", body: .json(message))) }
}

extension AuthenticatedEndpoint<[Product.ID]> {
    /// The user's favorite products.
    public static var favorites: Self { Self(.get("favorites")) }
}

extension AuthenticatedEndpoint<Void> {
    /// Returns the endpoint that adds a favorite; adding it again changes nothing.
    public static func addFavorite(_ product: Product.ID) -> Self { Self(.put("favorites/\(product)")) }

    /// Returns the endpoint that removes a favorite; removing it again changes nothing.
    public static func removeFavorite(_ product: Product.ID) -> Self { Self(.delete("favorites/\(product)")) }
}

extension AuthenticatedEndpoint<[Purchase]> {
    /// The user's purchases, newest first.
    public static var purchases: Self { Self(.get("purchases")) }
}

extension AuthenticatedIdempotentEndpoint<Purchase> {
    /// Returns the endpoint that buys a product; with its key, the user pays once if a response is
    /// lost.
    public static func purchase(_ new: NewPurchase) -> Self { Self(.post("purchases", body: .json(new))) }
}

extension NonAuthenticatedEndpoint<[Product]> {
    /// The products of the campus shop, which are the same for everybody and seldom change.
    public static var catalog: Self { Self(.get("catalog")).cached(for: .seconds(60)) }
}

extension NonAuthenticatedEndpoint<Product> {
    /// Returns the endpoint for one product of the campus shop.
    public static func product(_ id: Product.ID) -> Self { Self(.get("catalog/\(id)")) }
}
