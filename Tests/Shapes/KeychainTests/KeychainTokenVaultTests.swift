import Foundation
import NetworkingOnApple
import SecurityShapes
import ShapesTestTools
import Testing

/// Tests of the calls to the Keychain; `BackplaneNetworkingTests` has the decisions.
@Suite(.timeLimit(.minutes(5))) struct KeychainTokenVaultTests {
    private let service = "org.example.\(UUID())"

    private func tokens(_ access: String) -> NetworkTokens {
        NetworkTokens(access: AccessToken(rawValue: access), refresh: RefreshToken(rawValue: "refresh"))
    }

    private func code(_ operation: () async throws -> Void) async -> NetworkError.Code? {
        do {
            try await operation()
            return nil
        } catch {
            return (error as? NetworkError)?.code
        }
    }

    @Test(.rule("V33"), arguments: [nil, "group.example"])
    func `saved tokens can be loaded again, replaced and cleared`(group: String?) async throws {
        let vault = KeychainTokenVault(service: service, account: "alice", accessGroup: group)
        #expect(try await vault.load() == nil)
        try await vault.save(tokens("one"))
        try await vault.save(tokens("two"))
        let again = KeychainTokenVault(service: service, account: "alice", accessGroup: group)
        #expect(try await again.load()?.access.rawValue == "two")
        #expect(try await KeychainTokenVault(service: service, account: "bob", accessGroup: group).load() == nil)
        try await vault.clear()
        #expect(try await again.load() == nil)
        #expect(ShapeKeychain[service, "alice", group] == nil)
        try await vault.clear()
    }

    @Test(.rule("V33")) func `the item can be read after the first unlock, and only on this device`() async throws {
        let vault = KeychainTokenVault(service: service, account: "alice")
        let wanted = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        try await vault.save(tokens("one"))
        #expect(ShapeKeychain[service, "alice", nil]?.accessible == wanted)
        try await vault.save(tokens("two"))
        #expect(ShapeKeychain[service, "alice", nil]?.accessible == wanted)
    }

    @Test(.rule("V33")) func `an item with other data is an error`() async throws {
        let item: [String: Any] = [
            kSecClass: kSecClassGenericPassword, kSecUseDataProtectionKeychain: true,
            kSecAttrService: service, kSecAttrAccount: "alice", kSecValueData: Data("my secret".utf8),
        ]
        #expect(SecItemAdd(item, nil) == errSecSuccess)
        let vault = KeychainTokenVault(service: service, account: "alice")
        #expect(await code { _ = try await vault.load() } == .vaultFailed)
    }

    @Test(.rule("V33"), arguments: [true, false])
    func `a vault with a lock file waits for its lock, and a vault without it does not`(hasFile: Bool) async throws {
        let directory = TemporaryDirectory()
        let file = directory.url.appending(path: "tokens")
        let vault = KeychainTokenVault(service: service, account: "alice", lockFile: hasFile ? file : nil)
        try await vault.withLock {}
        try await vault.withWriteLock {}
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
        #expect(names == (hasFile ? ["tokens.lock", "tokens.write-lock"] : []))
    }

    @Test func `the statuses have the numbers of the system`() {
        #expect(errSecSuccess == 0 && errSecDuplicateItem == -25299 && errSecItemNotFound == -25300)
        #expect(errSecInteractionNotAllowed == -25308 && errSecMissingEntitlement == -34018)
    }
}
