internal import BackplaneConcurrency
public import BackplaneNetworking

extension UserSession {
    /// The result of the decision about a user who has been loaded.
    private enum Entry {
        /// The user's account continues, and the task saves the tokens.
        case continued(UserAccount<User>, saving: Task<Void, any Error>, announce: @Sendable () -> Void)
        /// Another account and the vault must be left first.
        case blocked(UserSessionModel<User>.Departure)
    }

    /// Signs in the user of `tokens`, and returns the account of that user.
    ///
    /// The user is loaded first. Then the previous account ends as ``AccountEnding/replaced``, its
    /// stores are reset, and the vault gets the new tokens. If the same user is already signed in,
    /// or was signed in until the tokens expired, the account of that user continues: see
    /// ``UserAccount/own(_:on:)``.
    ///
    /// If the sign-in fails, it changes nothing: a user who was signed in stays signed in. In this
    /// case the new tokens do not reach the vault, and are revoked. If the vault fails, the sign-in
    /// still succeeds.
    ///
    /// **Order.** A later sign-in or sign-out replaces this one, which then throws. If this
    /// function returns an account, it was the current account at that time.
    ///
    /// **Cancellation.** If the task is cancelled before the user is loaded, the sign-in fails. If
    /// the task is cancelled later, the sign-in continues.
    ///
    /// ```swift
    /// let tokens = try await service.request(.login(name: name, password: password))
    /// let account = try await session.signIn(with: tokens)
    /// ```
    ///
    /// - Parameter tokens: The tokens from a sign-in. The session refreshes them and must be the
    ///   only user of the refresh token.
    /// - Returns: The account of the user.
    /// - Throws: `NetworkError` if the user cannot be loaded, or with the code `signedOut` if a
    ///   later call has replaced this one. `CancellationError` if the task is cancelled.
    @discardableResult
    public func signIn(with tokens: NetworkTokens) async throws -> UserAccount<User> {
        let staged = StagedVault(tokens, before: vault)
        let candidate = makeWriter(with: tokens, vault: staged)
        let loading = Task { [endpoint] in try await candidate.controller.request(endpoint) }
        let end = SharedResult()
        let (order, overtaken) = model.withLock { $0.beginOrder(loading: loading, until: end) }
        defer { finishLine(end) }
        overtaken?.cancel()
        let entered: (account: UserAccount<User>, saving: Task<Void, any Error>)
        do {
            let user = try await withTaskCancellationHandler {
                try await loading.value
            } onCancel: {
                loading.cancel()
            }
            entered = try await enter(as: user, by: candidate, staged, order)
        } catch {
            // The tokens are known to no one else, and must not stay valid on the server.
            watch(candidate.controller.beginSignOut(revokingWith: revocation).revoking)
            guard model.withLock({ $0.endSignIn(order) }) else { throw NetworkError.signedOut }
            throw error
        }
        // The user is known, and others need not wait for the vault.
        finishLine(end)
        await finish(entered.saving)
        guard model.withLock({ $0.state.account === entered.account }) else { throw NetworkError.signedOut }
        return entered.account
    }

    /// Lets the calls continue that wait for a sign-in.
    private func finishLine(_ end: SharedResult) {
        model.withLock { $0.leaveLine(end) }
        end.resolve(end)
    }

    /// Makes a loaded user the signed-in user; throws if the sign-in has been overtaken.
    ///
    /// - Returns: The account, and the task that saves the tokens.
    private func enter(
        as user: User,
        by candidate: SessionWriter,
        _ staged: StagedVault,
        _ order: Int
    ) async throws -> (account: UserAccount<User>, saving: Task<Void, any Error>) {
        switch try model.withLock({ try decide(about: user, staged, order, in: &$0) }) {
        case .continued(let account, let saving, let announce):
            changes.publish()
            announce()
            return (account, saving)
        case .blocked(let departure):
            await leave(departure, for: order)
            let account = UserAccount(user: user, loadedFrom: endpoint, by: candidate)
            let saving = try model.withLock { model in
                guard model.lastOrder == order, let tokens = staged.tokens else { throw NetworkError.signedOut }
                staged.open()
                model.writer = candidate
                model.signIn(account)
                return candidate.controller.beginSignIn(with: tokens)
            }
            changes.publish()
            return (account, saving)
        }
    }

    private func decide(
        about user: User,
        _ staged: StagedVault,
        _ order: Int,
        in model: inout UserSessionModel<User>
    ) throws -> Entry {
        guard model.lastOrder == order, let tokens = staged.tokens else { throw NetworkError.signedOut }
        guard let account = model.account(of: user.id) else {
            return .blocked(model.depart(.replaced, revokingWith: revocation))
        }
        // The controller clears the vault before it saves the new tokens, because it performs its
        // operations in order.
        watch(account.controller.beginSignOut(revokingWith: revocation).revoking)
        let saving = account.controller.beginSignIn(with: tokens)
        model.signIn(account)
        return .continued(account, saving: saving, announce: account.proceed(as: user))
    }

    /// Returns when nothing of the previous user is left: neither in the stores of the account nor
    /// in the vault.
    private func leave(_ departure: UserSessionModel<User>.Departure, for order: Int) async {
        announce(departure)
        for store in departure.ended?.stores ?? [] { await store.resetAndWait() }
        var leaving = departure.leaving
        if leaving == nil {
            do {
                leaving = try await leaveStored(for: order)
            } catch {
                onEvent(.vaultFailed(error))
            }
        }
        guard let leaving else { return }
        watch(leaving.revoking)
        await finish(leaving.clearing)
    }

    /// Cancels the attempt to restore the user, and notifies the observers of the session and of
    /// the account that has ended.
    func announce(_ departure: UserSessionModel<User>.Departure) {
        departure.attempt?.cancel()
        changes.publish()
        departure.ended?.announce()
    }
}
