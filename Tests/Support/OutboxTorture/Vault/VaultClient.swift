import BackplaneConcurrency
import BackplaneNetworking
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The process that the driver kills: an app, or its extension, with one user and a vault.
///
/// It tells what happens, one line for each event.
actor VaultClient {
    private let orders: VaultOrders
    private let vault: DyingVault
    private let service: NonAuthenticatedNetworkController
    private var account: String?

    /// Runs the process until its steps are done.
    static func run(_ orders: VaultOrders) async {
        // The signal ends a process that is stuck.
        alarm(60)
        do {
            try await VaultClient(orders).work()
            exit(0)
        } catch {
            say("failed \(error)")
            exit(4)
        }
    }

    private init(_ orders: VaultOrders) throws {
        self.orders = orders
        vault = DyingVault(orders)
        guard let server = URL(string: "http://127.0.0.1:\(orders.port)") else { throw URLError(.badURL) }
        service = try NonAuthenticatedNetworkController(baseURL: server, transport: SocketTransport(port: orders.port))
    }

    private func work() async throws {
        guard let tokens = try await firstTokens() else { return }
        account = VaultFamily(tokens.access.rawValue)?.account
        let controller = AuthenticatedNetworkController(
            over: service,
            tokens: tokens,
            vault: vault,
            onEvent: { say("event \($0.code)") },
            refresh: { .refresh($0) }
        )
        for step in orders.steps { try await take(step, controller) }
    }

    /// Returns the tokens of the vault, or of a sign-in.
    private func firstTokens() async throws -> NetworkTokens? {
        if let tokens = try await vault.load() {
            say("loaded \(tokens.family)")
            return tokens
        }
        say("asks")
        guard let account = orders.account, let tokens = try await signIn(account) else { return nil }
        say("signing-in \(tokens.family)")
        try await vault.save(tokens)
        say("signed-in \(tokens.family)")
        return tokens
    }

    private func signIn(_ account: String) async throws -> NetworkTokens? {
        do { return try await service.request(.signIn(as: account)) } catch is NetworkError { return nil }
    }

    private func take(_ step: VaultOrders.Step, _ controller: AuthenticatedNetworkController) async throws {
        switch step {
        case .request: await request(controller)
        case .signOut:
            say("signing-out")
            account = nil
            do {
                try await controller.signOut(revokingWith: { .revoke($0) })
                say("signed-out")
            } catch let error as NetworkError {
                say("not-signed-out \(error.code)")
            }
        case .signIn:
            let next = account == "ada" ? "bob" : "ada"
            guard let tokens = try await signIn(next) else { return }
            say("signing-in \(tokens.family)")
            account = next
            try await controller.signIn(with: tokens)
            say("signed-in \(tokens.family)")
        case .replace:
            guard account != nil else { return }
            // From now on the server may have refused the old tokens.
            say("replacing")
            do {
                let tokens = try await controller.request(.newPassword)
                say("replacing \(tokens.family)")
                try await controller.replaceTokens(with: tokens)
                say("replaced \(tokens.family)")
            } catch let error as NetworkError {
                say("not-replaced \(error.code)")
            }
        }
    }

    private func request(_ controller: AuthenticatedNetworkController) async {
        guard let account else { return }
        do {
            let user = try await controller.request(.me(account))["account"]
            say(user == account ? "working \(account)" : "mismatch \(user ?? "") \(account)")
        } catch let error as NetworkError {
            say("\([.sessionExpired, .signedOut].contains(error.code) ? "lost" : "unavailable") \(error.code)")
        } catch {
            say("mismatch \(error)")
        }
    }
}

/// A vault that ends its process at one of its accesses, and may lack a safeguard.
private struct DyingVault: TokenVault {
    private let vault: FileTokenVault
    private let ablation: VaultOrders.Ablation?
    private let dyingAt: Int?
    private let accesses = Locked(0)

    init(_ orders: VaultOrders) {
        vault = FileTokenVault(file: URL(filePath: orders.vault))
        ablation = orders.ablation
        dyingAt = orders.dyingAt
    }

    func load() async throws -> NetworkTokens? {
        touch()
        return try await vault.load()
    }

    func save(_ tokens: NetworkTokens) async throws {
        touch()
        if ablation != .noSave { try await vault.save(tokens) }
        touch()
    }

    func clear() async throws {
        touch()
        if ablation != .noClear { try await vault.clear() }
        touch()
    }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        touch()
        if ablation == .noLock { return await body() }
        try await vault.withLock(body)
        touch()
    }

    func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        touch()
        if ablation == .noLock { return await body() }
        try await vault.withWriteLock(body)
        touch()
    }

    private func touch() {
        let number = accesses.withLock { accesses in
            accesses += 1
            return accesses
        }
        if number == dyingAt { kill(getpid(), SIGKILL) }
    }
}

extension NetworkTokens {
    fileprivate var family: String { VaultFamily(access.rawValue)?.description ?? "none" }
}
