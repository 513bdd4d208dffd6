import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The behavior that every vault has.
struct TokenVaultContractTests {
    enum Kind: CaseIterable {
        case memory
        case file
        case sqlite
    }

    private let directory: TemporaryDirectory

    init() {
        directory = TemporaryDirectory()
    }

    private func vault(_ kind: Kind) throws -> any TokenVault {
        switch kind {
        case .memory: MemoryTokenVault()
        case .file: FileTokenVault(file: directory.file("tokens.json"))
        case .sqlite: try SQLiteTokenVault(file: directory.file("tokens.sqlite"), account: "ada")
        }
    }

    private static func tokens(_ name: String, refresh: String? = nil) -> NetworkTokens {
        NetworkTokens(
            access: AccessToken(rawValue: name),
            refresh: refresh.map { RefreshToken(rawValue: $0) },
            expiresIn: .milliseconds(1500),
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000.25)
        )
    }

    @Test(arguments: Kind.allCases)
    func `a vault is empty, and then has the last saved tokens, including the refresh token`(kind: Kind) async throws {
        let vault = try vault(kind)
        #expect(try await vault.load() == nil)
        for tokens in [Self.tokens("a", refresh: "r"), Self.tokens("b")] {
            try await vault.save(tokens)
            #expect(try await vault.load() == tokens)
        }
    }

    @Test(.rule("N19"), arguments: Kind.allCases)
    func `tokens that were loaded before the vault was cleared are not saved again`(kind: Kind) async throws {
        let vault = try vault(kind)
        try await vault.save(Self.tokens("a", refresh: "r"))
        let tokens = try #require(try await vault.load())
        try await vault.clear()
        let server = NetworkStub()
        server.respond(to: .get, "me", with: .status(.unauthorized))
        server.respond(to: .post, "refresh", with: .json(#"{"access_token":"b","refresh_token":"s"}"#))
        let service = try NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server)
        let account = AuthenticatedNetworkController(over: service, tokens: tokens, vault: vault) { token in
            Endpoint(.post("refresh", body: .json(["refresh_token": token])))
        }
        let error = await #expect(throws: NetworkError.self) {
            try await account.request(AuthenticatedEndpoint<Void>(.get("me")))
        }
        #expect(error?.code == .sessionExpired)
        // Neither the request nor a refresh was sent, because the tokens have expired.
        #expect(server.requests.isEmpty)
        #expect(try await vault.load() == nil)
    }

    @Test(arguments: Kind.allCases)
    func `a cleared vault is empty and can be cleared and used again`(kind: Kind) async throws {
        let vault = try vault(kind)
        try await vault.save(Self.tokens("a"))
        try await vault.clear()
        #expect(try await vault.load() == nil)
        try await vault.clear()
        try await vault.save(Self.tokens("b"))
        #expect(try await vault.load() == Self.tokens("b"))
    }

    private static func write(to vault: any TokenVault, _ inside: Watched<Int>) async {
        do {
            try await vault.withWriteLock {
                let count = inside.update { count in
                    count += 1
                    return count
                }
                #expect(count == 1)
                try? await vault.save(tokens("a"))
                try? await vault.clear()
                inside.update { $0 -= 1 }
            }
        } catch {
            Issue.record(error)
        }
    }

    @Test(.rule("N13"), arguments: [Kind.file, .sqlite])
    func `write lock bodies run in turn and may use the vault while the other lock is held`(
        kind: Kind
    )
        async throws
    {
        let inside = Watched(0)
        let vaults = try (0..<4).map { _ in try vault(kind) }
        try await withThrowingTaskGroup { group in
            for vault in vaults {
                group.addTask {
                    for _ in 0..<5 {
                        try await vault.withLock { await Self.write(to: vault, inside) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: Kind.allCases)
    func `concurrent saves leave the tokens of a single save`(kind: Kind) async throws {
        let vault = try vault(kind)
        let names = (0..<20).map { "token-\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names { group.addTask { try await vault.save(Self.tokens(name)) } }
            try await group.waitForAll()
        }
        let last = try #require(try await vault.load())
        #expect(names.contains(last.access.rawValue))
    }
}
