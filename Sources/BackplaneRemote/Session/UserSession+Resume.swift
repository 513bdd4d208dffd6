internal import BackplaneConcurrency
internal import BackplaneNetworking

extension UserSession {
    /// The start of a call.
    private enum Beginning {
        case over(UserAccount<User>?)
        /// The caller waits for an attempt, and the first caller makes it.
        case waiting(SharedResult, number: Int, isFirst: Bool)
        /// A sign-in is under way, and the caller waits for its end.
        case behindSignIn(SharedResult, number: Int)
    }

    /// Restores the user from the tokens in the vault, and returns the account of that user.
    ///
    /// Call it at launch, and again after a failure. It reads the vault once. The function returns
    /// at once in two cases. A user is signed in. Or it is known that no user is signed in, and no
    /// sign-in is under way.
    ///
    /// - If the vault has no tokens, no user is signed in, without a reason.
    /// - If the server refuses the tokens, no user is signed in, with the reason
    ///   ``AccountEnding/expired``, and the vault is cleared.
    /// - If the user cannot be loaded for another reason, the function throws. The state is still
    ///   ``State/unknown``, and the tokens stay in the vault.
    ///
    /// Any number of callers share one attempt.
    ///
    /// **Cancellation.** A cancelled caller stops waiting at once. The attempt continues for the
    /// other callers and for later ones.
    ///
    /// **Order.** While no user is signed in and a sign-in is under way, the function waits for the
    /// sign-in and returns its account. If that sign-in fails, the function restores the user. If a
    /// user signs in during the attempt, the attempt ends when that user is known, and the function
    /// returns the account of that user. A sign-out ends the attempt at once.
    ///
    /// ```swift
    /// guard let account = try await session.resume() else { return showSignIn() }
    /// ```
    ///
    /// - Returns: The account, or `nil` if no user is signed in.
    /// - Throws: `NetworkError` or the error of the vault if the attempt fails for now.
    ///   `NetworkError` with the code `signedOut` if a sign-out has ended the attempt.
    ///   `CancellationError` if the task is cancelled.
    @discardableResult
    public func resume() async throws -> UserAccount<User>? {
        while true {
            switch model.withLock(Self.begin) {
            case .over(let account): return account
            case .waiting(let resumption, let number, let isFirst):
                if isFirst { start(resumption) }
                guard let result = await resumption.wait(as: number) else { throw CancellationError() }
                do {
                    let result = uncheckedDowncast(result, to: Box<Result<UserAccount<User>?, any Error>>.self).value
                    if let account = try result.get() { return account }
                } catch {
                    // A sign-in decides about the user (N20).
                    if model.withLock({ $0.state.account == nil && $0.signInEnd == nil }) { throw error }
                }
            case .behindSignIn(let end, let number):
                guard await end.wait(as: number) != nil else { throw CancellationError() }
            }
        }
    }

    private static func begin(_ model: inout UserSessionModel<User>) -> Beginning {
        if case .signedIn(let account) = model.state { return .over(account) }
        if let end = model.signInEnd { return .behindSignIn(end, number: model.makeCallerNumber()) }
        guard case .unknown = model.state else { return .over(nil) }
        let (resumption, number, isFirst) = model.joinResumption()
        return .waiting(resumption, number: number, isFirst: isFirst)
    }

    /// Makes an attempt in a task of its own, which ends with no caller.
    private func start(_ resumption: SharedResult) {
        let attempt = Task.detached(priority: Task.currentPriority) {
            let result: Result<UserAccount<User>?, any Error>
            do {
                result = .success(try await self.restoredAccount())
            } catch {
                result = .failure(self.isUnknown ? error : NetworkError.signedOut)
            }
            self.model.withLock { $0.endResumption(resumption) }
            resumption.resolve(Box(result))
        }
        model.withLock { $0.follow(attempt, for: resumption) }
    }

    /// Whether nothing has ended the attempt.
    private var isUnknown: Bool {
        if case .unknown = model.withLock({ $0.state }) { true } else { false }
    }

    private func restoredAccount() async throws -> UserAccount<User>? {
        guard let writer = try await restoredWriter() else { return nil }
        do {
            let user = try await writer.controller.request(endpoint)
            let account = UserAccount(user: user, loadedFrom: endpoint, by: writer)
            let isSignedIn = try model.withLock { model in
                guard case .unknown = model.state else { throw NetworkError.signedOut }
                // The tokens may have expired since, and the event has been received by then.
                guard writer.controller.isSignedIn else {
                    model.state = .signedOut(reason: .expired)
                    return false
                }
                model.signIn(account)
                return true
            }
            changes.publish()
            return isSignedIn ? account : nil
        } catch let error as NetworkError where error.code == .sessionExpired || error.code == .unauthorized {
            // After `unauthorized`, the controller still has its tokens.
            let leaving = try model.withLock { model in
                guard case .unknown = model.state else { throw NetworkError.signedOut }
                model.state = .signedOut(reason: .expired)
                return writer.controller.beginSignOut(revokingWith: revocation)
            }
            changes.publish()
            watch(leaving.revoking)
            await finish(leaving.clearing)
            return nil
        }
    }

    /// Returns the controller for the tokens in the vault, which all attempts use; `nil` if the
    /// vault has no tokens.
    private func restoredWriter() async throws -> SessionWriter? {
        if let writer = model.withLock({ $0.writer }) { return writer }
        let tokens: NetworkTokens?
        do {
            tokens = try await vault.load()
        } catch {
            onEvent(.vaultFailed(error))
            throw error
        }
        // The controller is made under the lock, because it may refresh the tokens from then on.
        let writer: SessionWriter? = try model.withLock { model in
            guard case .unknown = model.state else { throw NetworkError.signedOut }
            model.writer = tokens.map { makeWriter(with: $0, vault: vault) }
            if tokens == nil { model.state = .signedOut(reason: nil) }
            return model.writer
        }
        if writer == nil { changes.publish() }
        return writer
    }
}
