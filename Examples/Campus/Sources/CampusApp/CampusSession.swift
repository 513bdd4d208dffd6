import BackplaneFeatures
import BackplaneNetworking
import CampusModels
import CampusNetworking
import Screens

/// Who is logged in, in one person's session: shared by its windows, which are actors of their own.
///
/// Tokens that the vault has from before a restart make an account again when it is first asked for.
actor CampusSession {
    /// All there is while somebody is logged in; nothing of it is optional.
    private struct Account {
        let networking: AuthenticatedNetworkController
        let user: UserManager
    }

    private enum State {
        /// Nobody has looked into the vault yet, or the server could not say whose tokens are in it.
        case unknown
        case restoring(Task<Account?, Never>)
        case loggedOut
        case loggedIn(Account)
    }

    private let service: NonAuthenticatedNetworkController
    private let vault: any TokenVault
    private let client: String?
    private let log: @Sendable (String) -> Void
    private let onExpiry: @Sendable () async -> Void
    private var state = State.unknown

    /// A session.
    ///
    /// - Parameters:
    ///   - service: the server, for everybody.
    ///   - vault: where the session's tokens are kept, and may be from before a restart.
    ///   - client: what the person uses, as it calls itself; the server shows it to them among their sessions.
    ///   - log: told when the vault fails.
    ///   - onExpiry: called when a session that came out of the vault ends without a log-out.
    init(
        service: NonAuthenticatedNetworkController,
        vault: any TokenVault = MemoryTokenVault(),
        client: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in },
        onExpiry: @escaping @Sendable () async -> Void = {}
    ) {
        self.service = service
        self.vault = vault
        self.client = client
        self.log = log
        self.onExpiry = onExpiry
    }

    /// Forgets who is logged in, in the vault too, without telling the server.
    func forget() async {
        let leaving = await knownAccount
        state = .loggedOut
        do {
            // By way of the account, if there is one: a refresh that is under way must not come back into the vault.
            if let leaving { try await leaving.networking.signOut() } else { try await vault.clear() }
        } catch {
            log("The tokens of a session that has ended are still stored: \(error)")
        }
    }

    // MARK: The account

    private var account: Account? {
        get async {
            if case .unknown = state { state = .restoring(Task { await restore() }) }
            return await knownAccount
        }
    }

    /// The account, if somebody has asked for it before.
    private var knownAccount: Account? {
        get async {
            switch state {
            case .unknown, .loggedOut: nil
            case .restoring(let task): await task.value
            case .loggedIn(let account): account
            }
        }
    }

    /// Makes an account of the tokens in the vault; nobody else changes the state meanwhile.
    private func restore() async -> Account? {
        do {
            guard let tokens = try await vault.load() else {
                state = .loggedOut
                return nil
            }
            let account = try await makeAccount(with: tokens, onExpiry: onExpiry)
            state = .loggedIn(account)
            return account
        } catch let error as NetworkError where error.code == .sessionExpired {
            state = .loggedOut
        } catch {
            log("Who is logged in could not be found out; the next who asks tries again: \(error)")
            state = .unknown
        }
        return nil
    }

    private func enter(
        with tokens: NetworkTokens,
        onExpiry: @escaping @Sendable () async -> Void
    ) async throws -> User.ID {
        do {
            try await vault.save(tokens)
        } catch {
            log("A log-in could not be stored and ends with this process: \(error)")
        }
        do {
            let account = try await makeAccount(with: tokens, onExpiry: onExpiry)
            state = .loggedIn(account)
            return await account.user.user.id
        } catch {
            await forget()
            throw error
        }
    }

    /// Loads the user, and only then is there an account.
    private func makeAccount(
        with tokens: NetworkTokens,
        onExpiry: @escaping @Sendable () async -> Void
    ) async throws -> Account {
        let networking = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) { [log] event in
            switch event.kind {
            case .expired: Task { await onExpiry() }
            case .vaultFailed: log("Tokens could not be stored: \(event.cause.map { "\($0)" } ?? "")")
            default: break
            }
        } refresh: { token in
            .refresh(token)
        }
        let loader = UserLoader(networking: networking)
        return Account(networking: networking, user: UserManager(user: try await loader.loadUser(), loader: loader))
    }

    /// Asks the server on behalf of the user who is logged in, if that is `user`, or whoever it is.
    private func request<Value>(_ endpoint: AuthenticatedEndpoint<Value>, as user: User.ID? = nil) async throws -> Value
    {
        guard let account = await account else { throw DisplayError.loggedOut }
        if let user, await account.user.user.id != user { throw DisplayError.loggedOut }
        do {
            return try await account.networking.request(endpoint)
        } catch let error as NetworkError {
            throw DisplayError(requestProblem: error)
        }
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

extension CampusSession: CampusBackend {
    var currentUser: User.ID? {
        get async { await account?.user.user.id }
    }

    func logIn(
        with request: LoginRequest,
        onEntry: @escaping @Sendable () async -> Void,
        onExpiry: @escaping @Sendable () async -> Void
    ) async throws -> User.ID {
        do {
            let tokens = try await LoginPerformer(networking: service).login(using: request, client: client)
            // Whoever was there before must not come back by a refresh that is still under way.
            await forget()
            await onEntry()
            return try await enter(with: tokens, onExpiry: onExpiry)
        } catch let error as NetworkError {
            throw DisplayError(loginProblem: error)
        }
    }

    func logOut() async {
        let leaving = await account
        state = .loggedOut
        // A server that cannot be told forgets by itself, when the tokens expire.
        if let leaving { try? await LogoutPerformer(networking: leaving.networking).logout() }
    }

    func knownUser() async throws -> User {
        guard let account = await account else { throw DisplayError.loggedOut }
        return await account.user.user
    }

    func user() async throws -> User {
        guard let account = await account else { throw DisplayError.loggedOut }
        do {
            return try await account.user.sync()
        } catch let error as NetworkError {
            throw DisplayError(requestProblem: error)
        }
    }

    func sessions() async throws -> [UserSession] { try await request(.sessions) }
    func endSession(_ id: UserSession.ID) async throws { try await request(.endSession(id)) }
    func endOtherSessions() async throws { try await request(.endOtherSessions) }
    func courses() async throws -> [Course] { try await request(.courses) }
    func course(_ id: Course.ID) async throws -> Course { try await request(.course(id)) }
    func tutor(of course: Course.ID) async throws -> Tutor { try await request(.tutor(of: course)) }
    func schedule(of course: Course.ID) async throws -> [ScheduleItem] { try await request(.schedule(of: course)) }
    func todos(of course: Course.ID) async throws -> [Todo] { try await request(.todos(of: course)) }
    func change(_ todo: Todo.ID, of course: Course.ID, to change: TodoChange, key: IdempotencyKey) async throws {
        _ = try await request(.change(todo, of: course, to: change).idempotencyKey("\(key)"))
    }

    func contacts() async throws -> [Contact] { try await request(.contacts) }
    func messages() async throws -> [Message] { try await request(.messages) }

    func send(_ message: NewMessage, as user: User.ID, key: IdempotencyKey) async throws {
        _ = try await request(.send(message).idempotencyKey(key.description), as: user)
    }

    func catalogue() async throws -> [Product] { try await request(.catalogue) }
    func product(_ id: Product.ID) async throws -> Product { try await request(.product(id)) }
    func favourites() async throws -> Set<Product.ID> {
        await account == nil ? [] : Set(try await request(.favourites))
    }

    func setFavourite(_ product: Product.ID, to isFavourite: Bool) async throws {
        try await request(isFavourite ? .addFavourite(product) : .removeFavourite(product))
    }

    func purchase(_ new: NewPurchase, key: IdempotencyKey) async throws -> Purchase {
        try await request(.purchase(new).idempotencyKey("\(key)"))
    }
}
