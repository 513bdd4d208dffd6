internal import BackplaneConcurrency
internal import BackplaneNetworking

extension UserSession {
    /// Signs out the user, clears the vault and revokes the tokens on the server.
    ///
    /// The sign-out takes effect before this function first suspends: the account has ended as
    /// ``AccountEnding/signedOut``, no request leaves with its tokens, and a sign-in or
    /// ``resume()`` that is under way fails. The stores of the account are reset: see
    /// ``UserAccount/own(_:on:)``. An account that has expired ends, too.
    ///
    /// If the vault has tokens of an earlier run of the app, they are also cleared and revoked. If
    /// there are no tokens at all, the function does nothing.
    ///
    /// **Cancellation.** The rest completes even if the calling task is cancelled.
    ///
    /// ```swift
    /// try await session.signOut()
    /// ```
    ///
    /// - Throws: The error of the revocation, or else the error of the vault. The user is signed
    ///   out even then. If the vault could not be read, it may still have tokens.
    public func signOut() async throws {
        let (call, departure) = model.withLock { model in
            (model.beginOrder(), model.depart(.signedOut, revokingWith: revocation))
        }
        call.overtaken?.cancel()
        announce(departure)
        for store in departure.ended?.stores ?? [] { store.reset() }
        if let leaving = departure.leaving { return try await complete(leaving) }
        // In a task of its own, which the caller's cancellation does not reach.
        let rest = Task {
            if let leaving = try await leaveStored(for: call.order) { try await complete(leaving) }
        }
        try await rest.value
    }

    private func complete(_ leaving: PendingSignOut) async throws {
        let (revoked, cleared) = (await leaving.revoking.result, await leaving.clearing.result)
        if case .failure(let error) = cleared { onEvent(.vaultFailed(error)) }
        try revoked.get()
        try cleared.get()
    }
}
