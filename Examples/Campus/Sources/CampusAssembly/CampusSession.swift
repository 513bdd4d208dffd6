package import BackplaneNetworking
import BackplaneRemote
package import BackplaneStorage
package import CampusAccounts
package import CampusModels
import CampusNetworking
import Screens

/// The sign-in state of one user session, which its windows share; each window is an actor.
///
/// If the vault has tokens from before a restart, the first request for the account restores it.
package actor CampusSession {
    private static let expiry = """
        You have been signed out: the session was ended on another device, or was not used for too long. Sign in again to continue.
        """

    private let service: NonAuthenticatedNetworkController
    /// The same server, whose errors have texts for the user.
    private let shop: any NetworkController<NonAuthenticatedNetworkController>
    private let session: UserSession<User>
    private let login: LoginPerformer
    private let log: @Sendable (String) -> Void
    /// The file of the changes of all users; `nil` if changes exist only in memory.
    private let outbox: Outbox?
    private let device: String?
    /// The changes of the last user who has signed in here, which are sent also while no window is
    /// open.
    private var sending: (account: UserAccount<User>, changes: AccountOutbox)?
    /// The account that the windows share, for as long as one of them uses it.
    private weak var shared: NetworkAccount?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - service: the server, for requests without a user.
    ///   - vault: the storage of the session's tokens, possibly with tokens from before a restart.
    ///   - client: the name of the user's client; the server shows it in the user's list of
    ///     sessions.
    ///   - forwarded: returns the user's client as the server may know it, when a user signs in.
    ///   - outbox: the file of changes, so that they outlive the process; without it they do not.
    ///   - device: the name of the browser session, on a server with several of them; it stays the
    ///     same after a restart. Changes are sent only with the tokens of the session in which they
    ///     were made. So a session that was ended elsewhere can change nothing.
    ///   - log: called with a message when the vault or a sign-out at the server fails, and when a
    ///     change needs attention.
    package init(
        service: NonAuthenticatedNetworkController,
        vault: any TokenVault = MemoryTokenVault(),
        client: String? = nil,
        forwarded: @escaping @Sendable () async -> ForwardedClient? = { nil },
        outbox: Outbox? = nil,
        device: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.service = service
        shop = service.explaining { $0.text }
        login = LoginPerformer(networking: service, client: client, forwarded: forwarded)
        self.outbox = outbox
        self.device = device
        self.log = log
        session = UserSession(
            over: service,
            vault: vault,
            user: .me,
            refresh: { .refresh($0) },
            revokingWith: .logout,
            onEvent: { event in
                let cause = event.cause.map { "\($0)" } ?? ""
                switch event.code {
                case .vaultFailed: log("The storage of tokens failed: \(cause)")
                case .revocationFailed: log("The server may still have the session of a user who is gone: \(cause)")
                default: break
                }
            }
        )
    }

    /// Returns when the changes that were made before the call are in the file, or could not be
    /// saved.
    package func finishSaving() async {
        // The file does one thing after the other.
        _ = try? await sending?.changes.readStatus()
    }

    /// Signs the user out at the server, forgets the user and clears the vault.
    ///
    /// Changes that were not sent stay in the outbox.
    ///
    /// The server gets one request, with the timeout of the service. If that fails, the server ends
    /// its session when the session is not used for too long.
    package func end() async {
        await sending?.changes.stop()
        do {
            try await session.signOut()
        } catch {
            log("The tokens of a user who is gone may still be stored, or valid at the server: \(error)")
        }
    }

    private func networkAccount(of account: UserAccount<User>) -> NetworkAccount {
        if let shared, shared.account === account { return shared }
        let new = NetworkAccount(account, of: session, outbox: changes(of: account)) { password in
            try await self.check(password, of: account)
        }
        shared = new
        return new
    }

    /// Returns if a password is the user's, for which the user signs in once more, and out again.
    private func check(_ password: String, of account: UserAccount<User>) async throws {
        do {
            let tokens = try await login.login(using: LoginRequest(email: account.user.email, password: password))
            let networking = AuthenticatedNetworkController(over: service, tokens: tokens) { .refresh($0) }
            defer {
                LogoutPerformer(networking: networking).logout { [log] result in
                    guard case .failure(let error) = result else { return }
                    log("The server may still have the session of a password check: \(error)")
                }
            }
            // The address may have another user by now.
            guard try await UserLoader(networking: networking).loadUser().id == account.user.id else {
                throw DisplayError("You are someone else now. Sign in again.")
            }
        } catch let error as NetworkError {
            throw ExplainedError(
                error.code == .unauthorized ? "This is not your password." : error.signInText,
                cause: error
            )
        }
    }

    /// Returns the changes of an account, which are being sent from now on.
    private func changes(of account: UserAccount<User>) -> AccountOutbox? {
        if sending?.account !== account {
            let name = [account.user.id.rawValue, device].compactMap { $0 }.joined(separator: "/")
            sending = outbox.map { outbox in
                let changes = outbox.account(
                    name,
                    through: account.controller,
                    onEvent: { [log] event in log(event.line) },
                    explaining: { $0.text }
                )
                return (account: account, changes: changes)
            }
        }
        sending?.changes.start()
        return sending?.changes
    }
}

extension CampusSession: CampusService {
    package func catalog() async throws -> [Product] { try await shop.request(.catalog) }
    package func product(_ id: Product.ID) async throws -> Product { try await shop.request(.product(id)) }

    package func account() async -> (any Account)? {
        // A task of its own: a cancelled caller must not learn that no user is signed in.
        let resumption = Task { [session] in try await session.resume() }
        do {
            guard let account = try await resumption.value else { return nil }
            return networkAccount(of: account)
        } catch {
            log("The signed-in user could not be loaded; the next request for the account tries again: \(error)")
            return nil
        }
    }

    package func notice() -> String? {
        guard case .signedOut(let reason) = session.state, reason == .expired else { return nil }
        return Self.expiry
    }

    package func signIn(
        with request: LoginRequest,
        onEntry: @escaping @Sendable () async -> Void
    ) async throws -> any Account {
        do {
            let tokens = try await login.login(using: request)
            await onEntry()
            // Nothing of an earlier user is sent any more, unless that user stays or returns.
            await sending?.changes.stop()
            defer { if let sending, sending.account.ending == nil { sending.changes.start() } }
            return networkAccount(of: try await session.signIn(with: tokens))
        } catch let error as NetworkError {
            throw ExplainedError(error.signInText, cause: error)
        }
    }
}

extension OutboxEvent {
    /// The event as a line of the log, without the user's data.
    fileprivate var line: String {
        switch self {
        case .parked(let change): "A change is not sent without its user's decision: \(change)"
        case .waitsForSignIn(let change): "A change waits until its user signs in again: \(change)"
        case .cannotShow(let change): "A change is sent, but cannot be shown: \(change)"
        case .fileFailed(let error): "The file of changes failed: \(error)"
        }
    }
}
