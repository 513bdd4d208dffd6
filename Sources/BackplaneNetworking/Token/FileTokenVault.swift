internal import BackplaneConcurrency
public import Foundation

/// A vault in its own file, which several processes can share.
///
/// Use it for an app and its extensions, or for a tool and a daemon.
///
/// **Only its permissions protect the file.** The owner of the file can use it (0600). Root can,
/// too, and everyone who can read the disk or a backup of the disk. The file is not encrypted. On
/// Apple platforms, `KeychainTokenVault` is the better place: see <doc:SessionsAndRefresh>.
///
/// Saving replaces the whole file and returns when the data is on the disk. After a crash, the file
/// has the old tokens or the new ones. While one process refreshes the tokens, other processes wait
/// and then find the new ones. After one process clears the tokens, no other process brings them
/// back. The locks are files next to the token file, with `.lock` and `.write-lock` appended to its
/// name. They become free when the process that holds them ends.
///
/// ```swift
/// let vault = FileTokenVault(file: directory.appending(path: "tokens.json"))
/// if let tokens = try await vault.load() {
///     let account = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) {
///         .refresh($0)
///     }
/// }
/// ```
public struct FileTokenVault: TokenVault {
    private let path: String
    private let lockTimeout: Duration
    private let clock: any Clock<Duration>

    /// Creates a vault in `file`; the first save creates the file.
    ///
    /// - Parameters:
    ///   - file: The file that holds the tokens. Its directory must exist. A symbolic link is never
    ///     followed: loading fails, saving replaces the link, and clearing removes it.
    ///   - lockTimeout: The time to wait for another process that refreshes the tokens. It should
    ///     be longer than a refresh can take.
    ///   - clock: The clock that measures `lockTimeout`.
    public init(
        file: URL,
        lockTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        path = file.path
        self.lockTimeout = lockTimeout
        self.clock = clock
    }

    /// Returns the last saved tokens, or `nil` if there are none.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``.
    @concurrent
    public func load() async throws -> NetworkTokens? {
        let data = try failing(to: "be read") { try PrivateFile.contents(atPath: path) }
        do {
            return try data.map { try JSONDecoder().decode(NetworkTokens.self, from: $0).stored }
        } catch {
            throw NetworkError.vaultFailed(
                "The token file \(path) does not contain valid tokens. Clear the vault and sign in again.",
                cause: error
            )
        }
    }

    /// Replaces the tokens, and returns when they are on the disk.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``. The file then
    ///   holds either the old tokens or the new ones, as a whole.
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

    /// Runs `body` while no other vault of this file, in any process, holds this lock.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` if the lock does
    ///   not become free in time. `CancellationError` if the task is cancelled while it waits.
    @concurrent
    public func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        try await locking("lock", body)
    }

    /// Runs `body` while no other vault of this file, in any process, holds the write lock.
    ///
    /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` if the lock does
    ///   not become free in time. `CancellationError` if the task is cancelled while it waits.
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
                    Another process has locked the token file \(path) for more than \(lockTimeout). Find the process \
                    that hangs.
                    """,
                    cause: nil
                )
            }
            // The system has no call that waits for a file lock without blocking a thread.
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    private func failing<Result>(to verb: String, _ operation: () throws -> Result) throws -> Result {
        do {
            return try operation()
        } catch {
            throw NetworkError.vaultFailed(
                """
                The token file \(path) could not \(verb). Check that its directory exists and is writable, that the \
                disk has free space, and that the file is not a symbolic link.
                """,
                cause: error
            )
        }
    }
}
