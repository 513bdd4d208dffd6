import CampusModels

/// A checker of sign-ins: it counts the attempt, and then checks the password.
struct LoginChecker: Sendable {
    let accounts: AccountStore
    let throttle: LoginThrottle
    let verifier: PasswordVerifier

    /// Returns the user with this e-mail address and password, and remembers the client's network.
    ///
    /// - Throws: status 401 if there is no such user, or status 429 if there were too many attempts
    ///   or there are too many at once.
    func user(email: EmailAddress, password: String, for client: ClientAddress) async throws -> User.ID {
        let account = try await accounts.account(email: email, for: client)
        let attempt = LoginThrottle.Attempt(
            email: email,
            network: client.network,
            isKnown: account?.isKnownClient ?? false,
            surroundings: client.surroundings
        )
        let time = try await throttle.admitInTurn(attempt)
        let result: Result<User.ID, any Error>
        do {
            result = .success(try await user(of: account, password: password, for: client, attempt, at: time))
        } catch {
            result = .failure(error)
        }
        await throttle.end(attempt)
        return try result.get()
    }

    private func user(
        of account: AccountStore.Account?,
        password: String,
        for client: ClientAddress,
        _ attempt: LoginThrottle.Attempt,
        at time: Duration
    ) async throws -> User.ID {
        let isVerified: Bool
        do {
            isVerified = try await verifier.verify(password, against: account?.passwordHash, for: attempt)
        } catch {
            await throttle.withdraw(attempt, at: time)
            throw error
        }
        guard isVerified, let account else { throw APIFailure.invalidCredentials }
        await throttle.forgive(attempt, at: time)
        try await accounts.remember(client, of: account.user)
        return account.user
    }
}
