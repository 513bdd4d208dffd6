import BackplaneNetworking
import BackplaneStorage
import Foundation
import Testing

struct StorageCallers {
    @Test func `tokens are stored in a file`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "callers-\(UUID().uuidString).sqlite")
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
        }
        let vault = try SQLiteTokenVault(file: file, account: "ada@campus.example")
        try await vault.save(NetworkTokens(access: AccessToken(rawValue: "a")))
        let other: any TokenVault = try SQLiteTokenVault(file: file, account: "ada@campus.example")
        #expect(try await other.load()?.access.rawValue == "a")
        try await vault.clear()
        #expect(try await vault.load() == nil)
    }

    @Test func `an error contains the path of its file`() throws {
        let file = URL(fileURLWithPath: "/nowhere/at/all.sqlite")
        do {
            _ = try SQLiteTokenVault(file: file, account: "ada")
            Issue.record("Opening a vault in a missing directory did not throw.")
        } catch let error as StorageError {
            switch error.code {
            case .cannotOpen: #expect(error.path == file.path)
            default: Issue.record(error)
            }
        }
    }
}
