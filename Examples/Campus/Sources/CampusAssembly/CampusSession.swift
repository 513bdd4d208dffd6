package import BackplaneNetworking
package import CampusAccounts
package import CampusModels
import CampusNetworking
import Screens

/// The log-in state of one user session, which its windows share; each window is an actor.
///
/// If the vault has tokens from before a restart, the first request for the account restores it.
package actor CampusSession {
    private enum State {
        /// The vault has not been read yet, or the server did not say which user the tokens belong
        /// to.
        case unknown
        case restoring(Task<NetworkAccount?, Never>)
        case loggedOut
        case loggedIn(NetworkAccount)
    }

    private static let expiry = """
        You have been logged out: the session was ended on another device, or was not used for too long. Log in again to continue.
        """

    private let service: NonAuthenticatedNetworkController
    private let vault: any TokenVault
    private let client: String?
    private let findForwarded: @Sendable () async -> ForwardedClient?
    private let log: @Sendable (String) -> Void
    private var state = State.unknown
    /// Whether the vault had tokens that the server no longer accepts.
    private var hasExpired = false

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - service: the server, for requests without a user.
    ///   - vault: the storage of the session's tokens, possibly with tokens from before a restart.
    ///   - client: the name of the user's client; the server shows it in the user's list of
    ///     sessions.
    ///   - forwarded: returns the user's client as the server may know it, when a user logs in.
    ///   - log: called with a message when the vault fails.
    package init(
        service: NonAuthenticatedNetworkController,
        vault: any TokenVault = MemoryTokenVault(),
        client: String? = nil,
        forwarded: @escaping @Sendable () async -> ForwardedClient? = { nil },
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.service = service
        self.vault = vault
        self.client = client
        findForwarded = forwarded
        self.log = log
    }

    /// Logs the user out at the server, forgets the user and clears the vault.
    ///
    /// The server gets one request, with the timeout of the service. If that fails, the server ends
    /// its session when the session is not used for too long.
    package func end() async {
        do {
            if let account = await knownAccount {
                try await account.leave(tellingServer: true)
            } else if case .unknown = state, let tokens = try await vault.load() {
                // The user has not come back since the start of this process.
                let networking = AuthenticatedNetworkController(
                    over: service,
                    tokens: tokens,
                    vault: vault,
                    refresh: { .refresh($0) }
                )
                try await LogoutPerformer(networking: networking).logout()
            }
        } catch {
            log("The server may still have the session of a user who is gone: \(error)")
        }
        await forget()
    }

    /// Forgets the logged-in user and clears the vault, without telling the server.
    package func forget() async {
        let leaving = await knownAccount
        state = .loggedOut
        do {
            // If there is an account, it clears the vault. So a refresh that is under way cannot
            // store tokens in the vault again.
            if let leaving { try await leaving.leave(tellingServer: false) } else { try await vault.clear() }
        } catch {
            log("The tokens of a session that has ended are still stored: \(error)")
        }
    }

    /// The account, even if it has ended; `nil` before the first request for it.
    private var knownAccount: NetworkAccount? {
        get async {
            switch state {
            case .unknown, .loggedOut: nil
            case .restoring(let task): await task.value
            case .loggedIn(let account): account
            }
        }
    }

    /// Restores the account from the tokens in the vault; only this task changes the state
    /// meanwhile.
    private func restore() async -> NetworkAccount? {
        do {
            guard let tokens = try await vault.load() else {
                state = .loggedOut
                return nil
            }
            let account = try await makeAccount(with: tokens)
            state = .loggedIn(account)
            return account
        } catch let error as NetworkError where error.code == .sessionExpired {
            state = .loggedOut
            hasExpired = true
        } catch {
            log("The logged-in user could not be loaded; the next request for the account tries again: \(error)")
            state = .unknown
        }
        return nil
    }

    private func enter(with tokens: NetworkTokens) async throws -> NetworkAccount {
        do {
            try await vault.save(tokens)
        } catch {
            log("A log-in could not be stored and ends with this process: \(error)")
        }
        do {
            let account = try await makeAccount(with: tokens)
            state = .loggedIn(account)
            return account
        } catch {
            await forget()
            throw error
        }
    }

    /// Loads the user and creates the account; if loading fails, there is no account.
    private func makeAccount(with tokens: NetworkTokens) async throws -> NetworkAccount {
        let ending = AccountEnding()
        let networking = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) { [log] event in
            switch event.kind {
            case .expired: Task { await ending.come(by: .expiry) }
            case .vaultFailed: log("Tokens could not be stored: \(event.cause.map { "\($0)" } ?? "")")
            default: break
            }
        } refresh: { token in
            .refresh(token)
        }
        let loader = UserLoader(networking: networking)
        return await NetworkAccount(
            user: UserManager(user: try await loader.loadUser(), loader: loader),
            networking: networking,
            ending: ending
        )
    }

    /// Sends a request that needs no user.
    private func request<Value>(_ endpoint: NonAuthenticatedEndpoint<Value>) async throws -> Value {
        do {
            return try await service.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(requestProblem: error)
        }
    }
}

extension CampusSession: CampusService {
    package func catalog() async throws -> [Product] { try await request(.catalog) }
    package func product(_ id: Product.ID) async throws -> Product { try await request(.product(id)) }

    package func account() async -> (any Account)? {
        if case .unknown = state { state = .restoring(Task { await restore() }) }
        guard let account = await knownAccount, await account.ending.reason == nil else { return nil }
        return account
    }

    package func notice() async -> String? {
        let reason = await knownAccount?.ending.reason
        return hasExpired || reason == .expiry ? Self.expiry : nil
    }

    package func logIn(
        with request: LoginRequest,
        onEntry: @escaping @Sendable () async -> Void
    ) async throws -> any Account {
        do {
            let performer = LoginPerformer(networking: service)
            let tokens = try await performer.login(using: request, client: client, forwarded: await findForwarded())
            // A refresh of the previous account that is still under way must not log that user in
            // again.
            await forget()
            hasExpired = false
            await onEntry()
            return try await enter(with: tokens)
        } catch let error as NetworkError {
            throw DisplayError(loginProblem: error)
        }
    }
}
