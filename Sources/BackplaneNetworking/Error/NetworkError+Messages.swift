internal import Foundation
internal import HTTPTypes

// All errors of this module are in one place, so their messages have one form: what failed and what
// to do about it.
extension NetworkError {
    /// Returns the error that a transport throws for a body above the limit.
    public static func responseTooLarge(limit: Int) -> NetworkError {
        NetworkError(
            .responseTooLarge,
            message: """
                The response is larger than \(limit) bytes and was discarded. Request less data, or raise \
                NetworkOptions.responseLimit.
                """
        )
    }

    static func invalidBaseURL(_ problem: String) -> NetworkError {
        NetworkError(
            .invalidBaseURL,
            message: "The base URL cannot be used: \(problem). Use a URL like https://api.example.com/v1."
        )
    }

    static func insecureBaseURL(host: String) -> NetworkError {
        NetworkError(
            .invalidBaseURL,
            message: """
                The base URL for \(host) is not https, so others on the network could read tokens and data. Use https, \
                or set NetworkOptions.allowsInsecureHTTP if you trust the network.
                """
        )
    }

    static func invalidEndpoint(_ problem: String) -> NetworkError {
        NetworkError(
            .invalidEndpoint,
            message: """
                No request was sent because \(problem). The server would see another path. Check the values in the \
                path.
                """
        )
    }

    static func unencodableBody(_ cause: any Error) -> NetworkError {
        NetworkError(
            .invalidEndpoint,
            message: "No request was sent because the body could not be encoded. See `cause` for the failing value.",
            cause: cause
        )
    }

    static let originChanged = NetworkError(
        .originChanged,
        message: """
            No request was sent because a middleware changed its scheme, its authority or the first slash of its path, \
            or because its Host field is not its authority. It would go to another server. Create a separate \
            controller for that server.
            """
    )

    static func middlewareFailed(_ cause: any Error) -> NetworkError {
        NetworkError(
            .middlewareFailed,
            message: """
                A middleware of the controller threw its own error (\(type(of: cause))). See `cause` for the error. \
                The server may or may not have processed the request.
                """,
            cause: cause
        )
    }

    static let cancelled = NetworkError(
        .cancelled,
        message: "The request was cancelled before a response arrived. Send it again if you still need it."
    )

    static func transportFailed(_ cause: any Error) -> NetworkError {
        // Only the domain and the code: the text of the error may contain the URL with its query.
        let error = cause as NSError
        return NetworkError(
            .transportFailed,
            message: """
                The server could not be reached or the connection broke (\(error.domain) \(error.code)). Check the \
                connection and try again.
                """,
            cause: cause
        )
    }

    static func timedOut(after timeout: Duration) -> NetworkError {
        NetworkError(
            .timedOut,
            message: """
                No response arrived within \(timeout). Try again, or give the endpoint a longer timeout if it is known \
                to be slow.
                """
        )
    }

    /// Returns the error for a response with an unsuccessful status; `cause` is the decoded error
    /// body.
    static func refused(
        _ response: HTTPResponse,
        body: Data,
        as givenCode: Code? = nil,
        cause: (any Error)? = nil
    ) -> NetworkError {
        let (code, advice): (Code, String) =
            switch response.status.code {
            case 300..<400 where givenCode == nil:
                (.redirected, "Redirects are not followed. Declare the endpoint with its current path on the server.")
            case 401:
                (.unauthorized, "The credentials are missing or not accepted.")
            case _ where givenCode == .unauthorized:
                (.unauthorized, "This says that the access token is not accepted.")
            case 400..<500:
                (.rejected, "Repeating the request will not help. See `cause` or `body` for the server's reason.")
            default:
                (.serverFailed, "Try again later.")
            }
        var error = NetworkError(
            code,
            message: "The server responded with status \(response.status.code). \(advice)",
            status: response.status,
            body: body,
            cause: cause
        )
        error.retryAfter = response.retryAfter
        return error
    }

    static func undecodableResponse(_ cause: any Error, from response: HTTPResponse) -> NetworkError {
        let place = (cause as? DecodingError).map { " at \($0.path)" } ?? ""
        return NetworkError(
            .undecodableResponse,
            message: """
                The response does not match the type that the endpoint declares\(place). Compare the type with the \
                body that the server sends. See `cause` for the details.
                """,
            status: response.status,
            cause: cause
        )
    }

    package static let signedOut = NetworkError(
        .signedOut,
        message: "No user is signed in, or the user of this request has signed out. Sign in and try again."
    )

    static let tokenRefused = NetworkError(
        .unauthorized,
        message: "The server refuses the tokens of the session, including newly issued ones. Sign in again."
    )

    static let tokenRepeated = NetworkError(
        .unauthorized,
        message: """
            The refresh has returned an access token that the server refuses. Check the endpoint that refreshes tokens.
            """
    )

    static func sessionExpired(_ cause: (any Error)?) -> NetworkError {
        NetworkError(
            .sessionExpired,
            message: "The session has ended because its tokens are no longer accepted. Sign in again.",
            cause: cause
        )
    }

    static func refreshUnavailable(_ cause: any Error) -> NetworkError {
        // Only the description of a `NetworkError` is known to be safe to show.
        let reason = (cause as? NetworkError).map { " (\($0))" } ?? ""
        return NetworkError(
            .refreshUnavailable,
            message: "The tokens could not be refreshed for now\(reason). The user is still signed in. Try again.",
            cause: cause
        )
    }
}

// Failures of a session that no single request reports.
extension NetworkError {
    static func vaultFailed(_ message: String, cause: (any Error)? = nil) -> NetworkError {
        NetworkError(.vaultFailed, message: message, cause: cause)
    }

    package static func vaultFailed(_ cause: any Error) -> NetworkError {
        if let error = cause as? NetworkError, error.code == .vaultFailed { return error }
        return vaultFailed(
            """
            The token vault failed (\(type(of: cause))), and the session continues in memory. The next launch may find \
            tokens that are too old or should be gone. See `cause` for the error of the vault.
            """,
            cause: cause
        )
    }

    package static func revocationFailed(_ cause: any Error) -> NetworkError {
        NetworkError(
            .revocationFailed,
            message: """
                Tokens of a user who has signed out could not be revoked. They stay valid on the server until they \
                expire. See `cause` for the error of the request.
                """,
            cause: cause
        )
    }
}

extension DecodingError {
    /// The place in the body where decoding failed, with the names that the app declares and with
    /// indices, but without data of the body (N28).
    fileprivate var path: String {
        let keys: [any CodingKey] =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context):
                context.codingPath + [key]
            @unknown default:
                []
            }
        let path = keys.map(\.nameForLogs).joined()
        return path.isEmpty ? "the top level" : "\"\(path)\""
    }
}

extension CodingKey {
    /// The name of a case of a type, or an index; the keys of a dictionary are data.
    fileprivate var nameForLogs: String {
        if let index = intValue, stringValue == "Index \(index)" { return "[\(index)]" }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? ".\(stringValue)" : "[…]"
    }
}
