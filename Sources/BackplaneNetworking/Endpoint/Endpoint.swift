public import Foundation
public import HTTPTypes

/// One thing a server can be asked: the request, and how its answer becomes a `Response`.
///
/// An endpoint is a value without a server: a controller joins it to a base URL and performs it. Its `Access` says which
/// controller; use the two kinds by their names, ``AuthenticatedEndpoint`` and ``NonAuthenticatedEndpoint``, and declare
/// endpoints in extensions of them:
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
/// Only answers with a status from 200 to 299 are decoded; every other status is thrown as a ``NetworkError``.
public struct Endpoint<Access, Response: Sendable>: Sendable {
    /// Turns a successful answer into a response.
    ///
    /// It gets the status and header fields, the body, and the decoder from the controller's ``NetworkOptions``. It is not
    /// called on the caller's actor, so that decoding blocks nobody.
    public typealias Decode = @Sendable (HTTPResponse, Data, JSONDecoder) throws -> Response

    /// What is asked.
    public var request: EndpointRequest

    let decode: Decode

    var handling = EndpointHandling()

    /// An endpoint whose answer is read by `decode`; an error thrown there is the cause of a ``NetworkError`` with the code
    /// ``NetworkError/Code/undecodableResponse``.
    public init(_ request: EndpointRequest, decode: @escaping Decode) {
        self.request = request
        self.decode = decode
    }

    /// An endpoint whose answer is JSON, which it says in `Accept` unless the request says otherwise.
    public init(_ request: EndpointRequest) where Response: Decodable {
        var request = request
        request.headers[.accept] = request.headers[.accept] ?? "application/json"
        self.init(request) { _, body, decoder in try decoder.decode(Response.self, from: body) }
    }

    /// An endpoint whose answer is JSON or, if there is nothing to tell, has no body, which is `nil`.
    public init(_ request: EndpointRequest) where Response: Decodable & ExpressibleByNilLiteral {
        var request = request
        request.headers[.accept] = request.headers[.accept] ?? "application/json"
        self.init(request) { _, body, decoder in
            body.isEmpty ? nil : try decoder.decode(Response.self, from: body)
        }
    }

    /// An endpoint whose answer is taken as it is.
    public init(_ request: EndpointRequest) where Response == Data {
        self.init(request) { _, body, _ in body }
    }

    /// An endpoint of whose answer only the success counts; a body is ignored.
    public init(_ request: EndpointRequest) where Response == Void {
        self.init(request) { _, _, _ in }
    }

    /// The same endpoint with another response, made from this one's.
    ///
    /// This is the place to turn what the server sends into what the app means:
    ///
    /// ```swift
    /// NonAuthenticatedEndpoint<LoginReply>(.post("login", body: .json(credentials)))
    ///     .map { NetworkTokens(access: $0.token, refresh: $0.renewal, expiresIn: .seconds(900)) }
    /// ```
    ///
    /// What `transform` throws is handled like a decoding error.
    public func map<Other>(
        _ transform: @escaping @Sendable (Response) throws -> Other
    ) -> Endpoint<Access, Other> {
        map { _, response in try transform(response) }
    }

    /// The same endpoint with another response, made from this one's and the answer's status and header fields.
    ///
    /// ```swift
    /// Endpoint<Access, [Course]>(.get("courses")).map { answer, courses in
    ///     CourseList(courses, version: answer.headerFields[.eTag])
    /// }
    /// ```
    ///
    /// What `transform` throws is handled like a decoding error.
    public func map<Other>(
        withAnswer transform: @escaping @Sendable (HTTPResponse, Response) throws -> Other
    ) -> Endpoint<Access, Other> {
        var other = Endpoint<Access, Other>(request) { [decode] answer, body, decoder in
            try transform(answer, decode(answer, body, decoder))
        }
        other.handling = handling
        return other
    }
}
