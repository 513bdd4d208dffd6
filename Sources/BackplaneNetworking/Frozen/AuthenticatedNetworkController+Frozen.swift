internal import BackplaneConcurrency
package import Foundation

/// The session of one user: the time from a sign-in to its end.
package struct SignIn: Hashable, Sendable {
    let epoch: Int
}

extension AuthenticatedNetworkController {
    /// Writes down the request of an endpoint, with a body from the encoder of this controller.
    package func freeze<Response>(_ endpoint: AuthenticatedIdempotentEndpoint<Response>) throws -> Data {
        try FrozenRequest(endpoint, encoder: performer.options.encoder).data
    }

    /// The session of the user who is signed in now.
    package var signIn: SignIn { SignIn(epoch: makeScope().request.epoch) }

    /// Sends a request that was written down once, with the credentials of one user.
    ///
    /// No middleware retries it, because the caller does.
    ///
    /// - Parameters:
    ///   - frozen: The request.
    ///   - key: The idempotency key.
    ///   - entityTag: The entity tag for `If-Match`, or `nil` for a request without a condition.
    ///   - signIn: The session of the user whose request it is. If it has ended, nothing is sent,
    ///     also if another user is signed in.
    ///   - departure: Learns whether the server may have received the request.
    /// - Returns: A response with a successful status.
    /// - Throws: ``NetworkError``, or `CancellationError` if the task is cancelled.
    package func send(
        _ frozen: FrozenRequest,
        key: String,
        entityTag: String?,
        as signIn: SignIn,
        noting departure: Departure
    ) async throws -> ServerReply {
        let current = makeScope()
        let scope = UserScope(
            session: current.session,
            request: UserRequest(epoch: signIn.epoch),
            partition: current.partition
        )
        let endpoint = frozen.endpoint(key: key, entityTag: entityTag)
        return try await Retrying.$isUnderWay.with(true) {
            try await performer.perform(endpoint, for: scope, noting: departure)
        }
    }

    /// Decodes the response of a request that was written down.
    package func decode<Response>(
        _ reply: ServerReply,
        from endpoint: AuthenticatedIdempotentEndpoint<Response>
    ) throws -> Response {
        try endpoint.idempotencyKey("").decode(
            NetworkResponse(head: reply.response, body: reply.body),
            performer.options.decoder
        )
    }
}
