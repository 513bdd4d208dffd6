public import Foundation
public import HTTPTypes

/// A request to a server, and the way to read its response as a `Response`.
///
/// An endpoint is a value without a server: a controller adds the base URL and performs it. The
/// `Access` type is the type of the controller that can perform it. Use the two kinds by their
/// names, ``AuthenticatedEndpoint`` and ``NonAuthenticatedEndpoint``, and declare endpoints in
/// extensions of them:
///
/// ```swift
/// extension AuthenticatedEndpoint<[Course]> {
///     static var courses: Self { Self(.get("courses")) }
/// }
/// extension AuthenticatedEndpoint<Void> {
///     static func setDone(_ isDone: Bool, of todo: Todo.ID) -> Self {
///         Self(.put("todos/\(todo)", body: .json(["done": isDone])))
///     }
/// }
/// let courses = try await controller.request(.courses)
/// ```
///
/// Only responses with a status from 200 to 299 are decoded. Every other status throws a
/// ``NetworkError``.
public struct Endpoint<Access, Response: Sendable>: Sendable {
    /// The request.
    public var request: EndpointRequest

    let decode: @Sendable (NetworkResponse, JSONDecoder) throws -> Response

    var handling = EndpointHandling()

    /// Creates an endpoint that reads its response with `decode`.
    ///
    /// `decode` receives the status with the header fields, the body, and the decoder from the
    /// controller's ``NetworkOptions``. It does not run on the caller's actor, so decoding does not
    /// block the caller. Its error becomes the cause of a ``NetworkError`` with the code
    /// ``NetworkError/Code/undecodableResponse``.
    public init(
        _ request: EndpointRequest,
        decode: @escaping @Sendable (HTTPResponse, Data, JSONDecoder) throws -> Response
    ) {
        self.init(request) { response, decoder in try decode(response.head, response.body, decoder) }
    }

    init(_ request: EndpointRequest, decode: @escaping @Sendable (NetworkResponse, JSONDecoder) throws -> Response) {
        self.request = request
        self.decode = decode
    }

    /// Creates an endpoint with a JSON response, and sets the field `Accept` unless the request
    /// sets it.
    public init(_ request: EndpointRequest) where Response: Decodable {
        self.init(request.acceptingJSON) { _, body, decoder in try decoder.decode(Response.self, from: body) }
    }

    /// Creates an endpoint with a JSON response that may have no body, which becomes `nil`.
    public init(_ request: EndpointRequest) where Response: Decodable & ExpressibleByNilLiteral {
        self.init(request.acceptingJSON) { _, body, decoder in
            body.isEmpty ? nil : try decoder.decode(Response.self, from: body)
        }
    }

    /// Creates an endpoint that returns the body of the response unchanged.
    public init(_ request: EndpointRequest) where Response == Data {
        self.init(request) { _, body, _ in body }
    }

    /// Creates an endpoint that only reports success and ignores the body of the response.
    public init(_ request: EndpointRequest) where Response == Void {
        self.init(request) { _, _, _ in }
    }

    /// Returns an endpoint that transforms the value of this one.
    ///
    /// Use it to turn the server's format into a type of the app:
    ///
    /// ```swift
    /// NonAuthenticatedEndpoint<LoginReply>(.post("login", body: .json(credentials)))
    ///     .map { NetworkTokens(access: $0.token, refresh: $0.renewal, expiresIn: .seconds(900)) }
    /// ```
    ///
    /// An error from `transform` is handled like a decoding error.
    public func map<Other>(
        _ transform: @escaping @Sendable (Response) throws -> Other
    ) -> Endpoint<Access, Other> {
        map { _, response in try transform(response) }
    }

    /// Returns an endpoint that transforms the value of this one, with access to the status and
    /// header fields.
    ///
    /// ```swift
    /// Endpoint<Access, [Course]>(.get("courses")).map { answer, courses in
    ///     CourseList(courses, version: answer.headerFields[.eTag])
    /// }
    /// ```
    ///
    /// An error from `transform` is handled like a decoding error.
    public func map<Other>(
        withResponse transform: @escaping @Sendable (HTTPResponse, Response) throws -> Other
    ) -> Endpoint<Access, Other> {
        var other = Endpoint<Access, Other>(request) { [decode] response, decoder in
            try transform(response.head, decode(response, decoder))
        }
        other.handling = handling
        return other
    }
}

/// An endpoint that needs an access token; only an ``AuthenticatedNetworkController`` performs it.
///
/// It does not compile with the other controller.
///
/// ```swift
/// extension AuthenticatedEndpoint<User> {
///     static func user(_ id: User.ID) -> Self { Self(.get("users/\(id)")) }
/// }
/// ```
public typealias AuthenticatedEndpoint<Response: Sendable> = Endpoint<AuthenticatedNetworkController, Response>

/// An endpoint that needs no access token; only a ``NonAuthenticatedNetworkController`` performs
/// it.
///
/// Logins and token refreshes are endpoints of this kind.
///
/// ```swift
/// extension NonAuthenticatedEndpoint<NetworkTokens> {
///     static func login(_ credentials: LoginCredentials) -> Self {
///         Self(.post("login", body: .json(credentials)))
///     }
/// }
/// ```
public typealias NonAuthenticatedEndpoint<Response: Sendable> = Endpoint<NonAuthenticatedNetworkController, Response>
