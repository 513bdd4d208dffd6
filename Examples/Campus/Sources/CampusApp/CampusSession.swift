import BackplaneNetworking
import CampusAccounts
import CampusModels
import CampusNetworking
import Screens

/// Who is logged in, in one person's session: shared by its windows, which are actors of their own.
///
/// Tokens that the vault has from before a restart make an account again when it is first asked for.
actor CampusSession {
    private enum State {
        /// Nobody has looked into the vault yet, or the server could not say whose tokens are in it.
        case unknown
        case restoring(Task<NetworkAccount?, Never>)
        case loggedOut
        case loggedIn(NetworkAccount)
    }

    private static let expiry = """
        You have been logged out: the session was ended from elsewhere, or not used for too long. Log in again to go on.
        """

    private let service: NonAuthenticatedNetworkController
    private let vault: any TokenVault
    private let client: String?
    private let log: @Sendable (String) -> Void
    private var state = State.unknown
    /// Whether the vault had tokens that the server accepted no more.
    private var hasExpired = false

    /// A session.
    ///
    /// - Parameters:
    ///   - service: the server, for everybody.
    ///   - vault: where the session's tokens are kept, and may be from before a restart.
    ///   - client: what the person uses, as it calls itself; the server shows it to them among their sessions.
    ///   - log: told when the vault fails.
    init(
        service: NonAuthenticatedNetworkController,
        vault: any TokenVault = MemoryTokenVault(),
        client: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.service = service
        self.vault = vault
        self.client = client
        self.log = log
    }

    /// Forgets who is logged in, in the vault too, without telling the server.
    func forget() async {
        let leaving = await knownAccount
        state = .loggedOut
        do {
            // By way of the account, if there is one: a refresh that is under way must not come back into the vault.
            if let leaving { try await leaving.leave() } else { try await vault.clear() }
        } catch {
            log("The tokens of a session that has ended are still stored: \(error)")
        }
    }

    /// The account, also one that has ended; nil before the first request for it.
    private var knownAccount: NetworkAccount? {
        get async {
            switch state {
            case .unknown, .loggedOut: nil
            case .restoring(let task): await task.value
            case .loggedIn(let account): account
            }
        }
    }

    /// Makes an account of the tokens in the vault; nobody else changes the state meanwhile.
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
            log("Who is logged in could not be found out; the next who asks tries again: \(error)")
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

    /// Loads the user, and only then is there an account.
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

    /// Asks the server for what anybody may see.
    private func request<Value>(_ endpoint: NonAuthenticatedEndpoint<Value>) async throws -> Value {
        do {
            return try await service.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(requestProblem: error)
        }
    }
}

extension CampusSession: CampusService {
    func catalog() async throws -> [Product] { try await request(.catalog) }
    func product(_ id: Product.ID) async throws -> Product { try await request(.product(id)) }

    func account() async -> (any Account)? {
        if case .unknown = state { state = .restoring(Task { await restore() }) }
        guard let account = await knownAccount, await account.ending.reason == nil else { return nil }
        return account
    }

    func notice() async -> String? {
        let reason = await knownAccount?.ending.reason
        return hasExpired || reason == .expiry ? Self.expiry : nil
    }

    func logIn(with request: LoginRequest, onEntry: @escaping @Sendable () async -> Void) async throws -> any Account {
        do {
            let tokens = try await LoginPerformer(networking: service).login(using: request, client: client)
            // Whoever was there before must not come back by a refresh that is still under way.
            await forget()
            hasExpired = false
            await onEntry()
            return try await enter(with: tokens)
        } catch let error as NetworkError {
            throw DisplayError(loginProblem: error)
        }
    }
}
