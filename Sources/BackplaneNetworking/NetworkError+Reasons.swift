internal import Foundation
internal import HTTPTypes

// The module's own errors in one place, so that their wording stays alike: what failed, and what to do about it.
extension NetworkError {
    /// The error a transport throws for a body larger than it was told to accept.
    public static func responseTooLarge(limit: Int) -> NetworkError {
        NetworkError(
            .responseTooLarge,
            message: """
                The answer is larger than \(limit) bytes and was given up. Ask for less, or raise \
                NetworkOptions.responseLimit.
                """
        )
    }

    static func invalidBaseURL(_ problem: String) -> NetworkError {
        NetworkError(
            .invalidBaseURL,
            message: "The base URL cannot be used: \(problem). Give one like https://api.example.com/v1."
        )
    }

    static func insecureBaseURL(host: String) -> NetworkError {
        NetworkError(
            .insecureBaseURL,
            message: """
                The base URL for \(host) is not https, so that anybody on the way could read tokens and data. Use https, \
                or set NetworkOptions.allowsInsecureHTTP if the network itself is trusted.
                """
        )
    }

    static func invalidEndpoint(_ problem: String) -> NetworkError {
        NetworkError(
            .invalidEndpoint,
            message: """
                Nothing was sent, since \(problem) and the server would see another path. Check the values the path is \
                made of.
                """
        )
    }

    static func unencodableBody(_ cause: any Error) -> NetworkError {
        NetworkError(
            .unencodableBody,
            message: "Nothing was sent, since the body could not be encoded. The cause says which value is at fault.",
            cause: cause
        )
    }

    static let originChanged = NetworkError(
        .originChanged,
        message: """
            Nothing was sent, since a middleware changed the request's scheme, authority or beginning of the path, and it \
            would have gone to another server. Give that server a controller of its own.
            """
    )

    static func middlewareFailed(_ cause: any Error) -> NetworkError {
        NetworkError(
            .middlewareFailed,
            message: """
                One of the controller's middlewares threw an error of its own (\(type(of: cause))). The cause says which; \
                the server may or may not have acted on the request.
                """,
            cause: cause
        )
    }

    static let cancelled = NetworkError(
        .cancelled,
        message: "The request was cancelled before there was a response. Ask again if it is still wanted."
    )

    static func transportFailed(_ cause: any Error) -> NetworkError {
        // Domain and number only: the error's own text may contain the URL with its query.
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
                There was no answer within \(timeout). Try again, or give the endpoint a longer timeout if it is known to \
                be slow.
                """
        )
    }

    /// The error for an answer whose status is not a success; `cause` is what the server says about it.
    static func refused(_ response: HTTPResponse, body: Data, cause: (any Error)? = nil) -> NetworkError {
        let (code, advice): (Code, String) =
            switch response.status.code {
            case 300..<400:
                (.redirected, "Redirects are not followed; declare the endpoint with the path the server has it at.")
            case 401:
                (.unauthorized, "The credentials are missing or not accepted.")
            case 400..<500:
                (.rejected, "Repeating the request will not help; `cause` or `body` has what the server says about it.")
            default:
                (.serverFailed, "Try again later.")
            }
        var error = NetworkError(
            code,
            message: "The server answered with status \(response.status.code). \(advice)",
            status: response.status,
            body: Body(body),
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
                The server answered with something else than the endpoint declares\(place). Compare the response type \
                with what the server sends; the cause has the details.
                """,
            status: response.status,
            cause: cause
        )
    }

    static let signedOut = NetworkError(
        .signedOut,
        message: "Nobody is signed in, or whoever asked has been signed out since. Sign in, then ask again."
    )

    static let tokenRefused = NetworkError(
        .unauthorized,
        message: "The server refuses the tokens of the session, also those that it has just issued. Log in again."
    )

    static func sessionExpired(_ cause: (any Error)?) -> NetworkError {
        NetworkError(
            .sessionExpired,
            message: "The session is over: the server no longer accepts its tokens. Log in again.",
            cause: cause
        )
    }

    static func refreshUnavailable(_ cause: any Error) -> NetworkError {
        // Of other errors nobody knows whether their text may be shown.
        let reason = (cause as? NetworkError).map { " (\($0))" } ?? ""
        return NetworkError(
            .refreshUnavailable,
            message: "The tokens could not be refreshed for now\(reason). The user is still signed in; try again.",
            cause: cause
        )
    }
}

extension NetworkError {
    static func vaultFailed(_ message: String, cause: (any Error)?) -> NetworkError {
        NetworkError(.vaultFailed, message: message, cause: cause)
    }
}

extension DecodingError {
    /// Where in the body decoding failed: names and positions, never values.
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
        let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return path.isEmpty ? "the top level" : "\"\(path)\""
    }
}
