internal import HTTPTypes

/// How an endpoint's answers are treated, whatever they are decoded to.
struct EndpointHandling: Sendable {
    /// Which answers say that the access token is not accepted.
    var isAuthenticationFailure: @Sendable (HTTPResponse) -> Bool = { $0.status == .unauthorized }

    /// What a refusal is described with, if not what the controller's options say.
    var errorType: (any (Error & Decodable).Type)?

    /// How old a kept answer may be, `nil` if answers are not kept.
    var cacheAge: Duration?
}
