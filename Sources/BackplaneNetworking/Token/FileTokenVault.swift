internal import BackplaneConcurrency
public import Foundation

/// A vault in a file of its own, which several processes may share: an app and its extensions, a tool and a daemon.
///
/// **The file is protected by its permissions only**: its owner may use it (0600), as may whoever is root or reads the disk
/// or a backup of it. It is not encrypted. On Apple platforms the Keychain is the better place; <doc:SessionsAndRefresh> has
/// the recipe.
///
/// Saving replaces the file as a whole and returns when it is on the disk, so a crash leaves the old tokens or the new. While
/// one process refreshes the tokens, others that share the file wait and then find the new ones, and tokens that one process
/// clears no other one brings back. The locks are files beside it (with `.lock` and `.write-lock` appended), and are free
/// again when the process that holds them dies.
///
/// ```swift
/// let vault = FileTokenVault(file: directory.appending(path: "tokens.json"))
/// if let tokens = try await vault.load() {
///     let account = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) { .refresh($0) }
/// }
/// ```
public struct FileTokenVault: TokenVault {
    private let path: String
    private let lockTimeout: Duration
    private let clock: any Clock<Duration>

    /// The vault in `file`, which is created when there is something to save.
    ///
    /// - Parameters:
    ///   - file: where the tokens are kept; its directory must exist. A link is refused.
    ///   - lockTimeout: how long to wait for another process that refreshes the tokens. It should be longer than a refresh
    ///     may take.
    ///   - clock: what that time is measured with.
    public init(
        file: URL,
        lockTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        path = file.path
        self.lockTimeout = lockTimeout
        self.clock = clock
    }

    /// The tokens last saved, or `nil` if there are none.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``.
    @concurrent
    public func load() async throws -> NetworkTokens? {
        let data = try failing(to: "be read") { try PrivateFile.contents(atPath: path) }
        do {
            return try data.map { try JSONDecoder().decode(NetworkTokens.self, from: $0) }
        } catch {
            throw NetworkError.vaultFailed(
                "What is in the file of tokens \(path) is not a pair of tokens. Clear the vault and log in again.",
                cause: error
            )
        }
    }

    /// Replaces the tokens; on return they are on the disk.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``; the file is as it was then.
    @concurrent
    public func save(_ tokens: NetworkTokens) async throws {
        try failing(to: "be written") { try PrivateFile.replace(atPath: path, with: JSONEncoder().encode(tokens)) }
    }

    /// Removes the file.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``.
    @concurrent
    public func clear() async throws {
        try failing(to: "be removed") { try PrivateFile.remove(atPath: path) }
    }

    /// Runs `body` while no other vault of this file, in any process, runs one.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` when the lock cannot be had in time;
    ///   `CancellationError` when the task is cancelled while it waits.
    @concurrent
    public func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        try await locking("lock", body)
    }

    /// Runs `body` while no other vault of this file, in any process, runs one in here.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` when the lock cannot be had in time;
    ///   `CancellationError` when the task is cancelled while it waits.
    @concurrent
    public func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        try await locking("write-lock", body)
    }

    private func locking(_ suffix: String, _ body: () async -> Void) async throws {
        let deadline = Deadline(in: lockTimeout, on: clock)
        while true {
            let lock = try failing(to: "be locked") {
                do {
                    return try FileLock(tryingAtPath: "\(path).\(suffix)")
                } catch let failure as FileLock.Failure {
                    throw POSIXError(POSIXErrorCode(rawValue: failure.number) ?? .EIO)
                }
            }
            if let lock {
                await body()
                lock.release()
                return
            }
            if deadline.hasPassed {
                throw NetworkError.vaultFailed(
                    """
                    Another process keeps the file of tokens \(path) locked for more than \(lockTimeout). Look which one \
                    hangs.
                    """,
                    cause: nil
                )
            }
            // The system has no call that waits for a file's lock without blocking a thread.
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    private func failing<Result>(to verb: String, _ operation: () throws -> Result) throws -> Result {
        do {
            return try operation()
        } catch {
            throw NetworkError.vaultFailed(
                """
                The file of tokens \(path) could not \(verb). Check that its directory exists and is yours to write to, \
                that there is space on the disk, and that the file is no link.
                """,
                cause: error
            )
        }
    }
}
