#if canImport(Security)
    public import Foundation
    import Security

    /// A vault in the Keychain, the best place for tokens on Apple platforms.
    ///
    /// ```swift
    /// let vault = KeychainTokenVault(service: "org.example.app", account: user.id)
    /// if let tokens = try await vault.load() { … }
    /// ```
    ///
    /// The tokens are one generic password. The system keeps it encrypted, and returns it after the
    /// first unlock of the device, also to work in the background. It stays on this device. A
    /// backup does not copy it to another device, because that device would then use the same
    /// refresh token.
    ///
    /// Each operation throws ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` if
    /// the Keychain refuses it. The message names the service and the status, and contains neither
    /// the account nor data. If the device is locked, this is also an error, and not `nil`.
    /// Otherwise an app that starts before the first unlock would believe that its user is signed
    /// out.
    ///
    /// The Keychain keeps items after the app is removed. If a new installation should begin signed
    /// out, call ``clear()`` at its first launch.
    public struct KeychainTokenVault: TokenVault {
        private let item: KeychainItem
        private let locks: FileTokenVault?

        /// Creates a vault for `account`; the first save creates the item.
        ///
        /// - Parameters:
        ///   - service: the name of the app's service, for example its bundle identifier.
        ///   - account: the owner of the tokens: any string that is the same at the next launch.
        ///   - accessGroup: the group of the apps and extensions that share the item; `nil` for the
        ///     first group of the app's entitlements.
        ///   - lockFile: a file in a container that the processes share. The locks of the vault are
        ///     next to it. The file itself need not exist. Pass `nil` if only one process uses the
        ///     item.
        public init(service: String, account: String, accessGroup: String? = nil, lockFile: URL? = nil) {
            let keychain = SystemKeychain(service: service, account: account, accessGroup: accessGroup)
            item = KeychainItem(service: service, keychain: keychain)
            locks = lockFile.map { FileTokenVault(file: $0) }
        }

        /// Returns the last saved tokens, or `nil` if there are none.
        ///
        /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``, also if the
        ///   device has not been unlocked since it started, or the item has no valid tokens.
        @concurrent public func load() async throws -> NetworkTokens? { try item.load() }

        /// Replaces the tokens, and returns when the Keychain has them.
        ///
        /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``.
        @concurrent public func save(_ tokens: NetworkTokens) async throws { try item.save(tokens) }

        /// Removes the item.
        ///
        /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed``.
        @concurrent public func clear() async throws { try item.clear() }

        /// Runs `body` while no other process with the same lock file holds this lock, or at once
        /// without a lock file.
        ///
        /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` if the lock
        ///   does not become free in time. `CancellationError` if the task is cancelled meanwhile.
        @concurrent public func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
            if let locks { try await locks.withLock(body) } else { await body() }
        }

        /// Runs `body` while no other process with the same lock file holds the write lock, or at
        /// once without a lock file.
        ///
        /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/vaultFailed`` if the lock
        ///   does not become free in time. `CancellationError` if the task is cancelled meanwhile.
        @concurrent public func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
            if let locks { try await locks.withWriteLock(body) } else { await body() }
        }
    }

    /// One generic password of the system's Keychain.
    private struct SystemKeychain: Keychain {
        let service: String
        let account: String
        let accessGroup: String?

        /// The attributes that find the item again.
        private var item: [String: Any] {
            var item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                // Otherwise macOS uses its older keychain, without classes of accessibility.
                kSecUseDataProtectionKeychain as String: true,
            ]
            item[kSecAttrAccessGroup as String] = accessGroup
            return item
        }

        private func contents(_ data: Data) -> [String: Any] {
            [
                kSecValueData as String: data,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
        }

        func read() -> (status: Int32, data: Data?) {
            var query = item
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }

        func add(_ data: Data) -> Int32 {
            SecItemAdd(item.merging(contents(data)) { $1 } as CFDictionary, nil)
        }

        func update(_ data: Data) -> Int32 {
            SecItemUpdate(item as CFDictionary, contents(data) as CFDictionary)
        }

        func delete() -> Int32 { SecItemDelete(item as CFDictionary) }
    }
#endif
