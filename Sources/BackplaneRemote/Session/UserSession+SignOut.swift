internal import BackplaneConcurrency
internal import BackplaneNetworking

extension UserSession {
    /// Signs out the user, clears the vault and revokes the tokens on the server.
    ///
    /// The sign-out takes effect before this function first suspends. The account has ended as
    /// ``AccountEnding/signedOut``. No request leaves with its tokens. A sign-in or ``resume()``
    /// that is under way fails. The stores of the account are reset: see
    /// ``UserAccount/own(_:on:)``. An expired account also ends.
    ///
    /// If the vault has tokens of an earlier run of the app, they are also cleared and revoked. If
    /// there are no tokens at all, the function does nothing.
    ///
    /// **Cancellation.** If the calling task is cancelled, the sign-out still completes.
    ///
    /// ```swift
    /// try await session.signOut()
    /// ```
    ///
    /// - Throws: The error of the revocation, or the error of the vault if the revocation
    ///   succeeded. The user is signed out in both cases. If the vault could not be read, it may
    ///   still have tokens.
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
