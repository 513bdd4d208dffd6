import BackplaneNetworking
import BackplaneStorage
import Foundation
import GRDB
import TestSupport
import Testing

struct SQLiteTokenVaultTests {
    private let directory: TemporaryDirectory
    private let file: URL

    init() throws {
        directory = TemporaryDirectory()
        file = directory.file("tokens.sqlite")
    }

    private static let tokens = NetworkTokens(
        access: AccessToken(rawValue: "s3cret-access"),
        refresh: RefreshToken(rawValue: "s3cret-refresh")
    )

    private func permissions(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(name).path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `saved tokens stay after the vault object is released`() async throws {
        var vault: SQLiteTokenVault? = try SQLiteTokenVault(file: file, account: "ada")
        try await vault?.save(Self.tokens)
        vault = nil
        let loaded = try await SQLiteTokenVault(file: file, account: "ada").load()
        #expect(loaded?.refresh == Self.tokens.refresh)
    }

    @Test func `each account has a separate row`() async throws {
        let ada = try SQLiteTokenVault(file: file, account: "ada")
        let bob = try SQLiteTokenVault(file: file, account: "bob")
        try await ada.save(Self.tokens)
        #expect(try await bob.load() == nil)
        try await bob.clear()
        #expect(try await ada.load() != nil)
    }

    @Test func `vaults that open a new file at the same time wait for each other`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in 0..<16 {
                group.addTask { [file] in
                    let vault = try SQLiteTokenVault(file: file, account: "\(account)")
                    try await vault.save(Self.tokens)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `vaults that are cleared at the same time wait for each other`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in 0..<40 {
                let vault = try SQLiteTokenVault(file: file, account: "\(account)")
                group.addTask {
                    try await vault.save(Self.tokens)
                    try await vault.clear()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `only the owner can access the database and the files next to it`() async throws {
        let vault = try SQLiteTokenVault(file: file, account: "ada")
        try await vault.save(Self.tokens)
        let names = try directory.contents
        #expect(names == ["tokens.sqlite", "tokens.sqlite-lock", "tokens.sqlite-shm", "tokens.sqlite-wal"])
        for name in names { #expect(try permissions(of: name) == 0o600) }
        #expect(try await vault.load() != nil)
    }

    @Test func `opening a file that other users can read removes their permissions`() throws {
        try Data().write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        _ = try SQLiteTokenVault(file: file, account: "ada")
        #expect(try permissions(of: "tokens.sqlite") == 0o600)
    }

    @Test func `a symbolic link is not followed`() throws {
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: directory.file("elsewhere"))
        let error = #expect(throws: StorageError.self) { try SQLiteTokenVault(file: file, account: "ada") }
        #expect(error?.code == .cannotOpen)
    }

    @Test func `clearing leaves no trace of the tokens in the files`() async throws {
        let vault = try SQLiteTokenVault(file: file, account: "ada")
        func bytes() throws -> Data {
            try directory.contents.reduce(into: Data()) { $0 += try Data(contentsOf: directory.file($1)) }
        }
        try await vault.save(Self.tokens)
        #expect(try bytes().range(of: Data("s3cret".utf8)) != nil)
        try await vault.clear()
        #expect(try bytes().range(of: Data("s3cret".utf8)) == nil)
    }

    @Test func `stored data that is not a pair of tokens throws an error that does not quote the data`() async throws {
        let vault = try SQLiteTokenVault(file: file, account: "ada")
        try await vault.save(Self.tokens)
        try await DatabaseQueue(path: file.path).write { database in
            try database.execute(sql: "UPDATE tokenVault SET tokens = '{\"access_token\": [\"s3cret\"]}'")
        }
        let error = try #require(await #expect(throws: StorageError.self) { try await vault.load() })
        #expect(error.code == .unreadable)
        #expect(
            error.description == """
                \(file.path): The token vault does not contain valid tokens for the account. Clear it and sign in again.
                """
        )
        #expect(error.cause is DecodingError)
    }

    @Test func `a vault that cannot be opened throws an error with its path and a remedy`() throws {
        let missing = directory.file("missing/tokens.sqlite")
        let error = try #require(
            #expect(throws: StorageError.self) { try SQLiteTokenVault(file: missing, account: "ada") }
        )
        #expect(error.code == .cannotOpen)
        #expect(error.path == missing.path)
        #expect(
            error.description == """
                \(missing.path): The token vault could not be opened. Check that its directory exists and is writable, \
                and that the file is a database and not a symbolic link.
                """
        )
    }

    @Test func `a file that is not a database is refused and stays unchanged`() throws {
        let contents = Data(repeating: 0x20, count: 4096)
        try contents.write(to: file)
        let error = #expect(throws: StorageError.self) { try SQLiteTokenVault(file: file, account: "ada") }
        #expect(error?.code == .cannotOpen)
        #expect(try Data(contentsOf: file) == contents)
    }
}
