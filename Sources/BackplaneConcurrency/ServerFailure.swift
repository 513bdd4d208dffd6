/// An error of a request to a server, with everything that loaders and mutations must know about
/// it.
///
/// `BackplaneFeatures` does not depend on `BackplaneNetworking`. So the errors of the network tell
/// it the outcome of a request through this protocol (R1).
package protocol ServerFailure: Error {
    /// Whether the server has definitely not carried out the request, and would refuse it again.
    var isRefusal: Bool { get }

    /// Whether the server says that the value of the request does not exist.
    var isMissing: Bool { get }

    /// Whether the request was to delete something, so that it may be the reason why nothing is
    /// there.
    var isOfDeletion: Bool { get }

    /// The status of the response, or `nil` if there is no response.
    var statusCode: Int? { get }

    /// The text of the server about the failure, or `nil` if there is none.
    var reason: String? { get }

    /// How long to wait before the next try, if the server says so.
    var retryAfter: Duration? { get }

    /// Whether the server may have carried out the request (D26).
    var mayHaveArrived: Bool { get }
}

extension ServerFailure {
    /// Whether there was another response than a refusal of the credentials.
    package var mayHaveArrived: Bool { statusCode != 401 }
}

extension ServerFailure {
    package var isOfDeletion: Bool { false }
}

extension String {
    /// The entity tag if it can be a precondition; `nil` if it is weak (N24).
    ///
    /// `If-Match` compares strongly (RFC 9110 section 13.1.1), so no server ever has a weak tag.
    package var strongEntityTag: String? { hasPrefix("W/") ? nil : self }
}
