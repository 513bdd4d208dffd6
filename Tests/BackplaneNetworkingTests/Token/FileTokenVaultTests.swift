import BackplaneConcurrency
import BackplaneTesting
import Foundation
import TestSupport
import Testing

@testable import BackplaneNetworking

/// Tests of the file on a real disk.
///
/// `SharedVaultTests` tests the sessions that use the file.
@Suite(.timeLimit(.minutes(5)))
struct FileTokenVaultTests {
    private let directory = TemporaryDirectory()
    private var file: URL { directory.url.appending(path: "tokens.json") }

    @Test
    func `only the owner can access the file and its lock, even after a file with other permissions`() async throws {
        try Data("{}".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let vault = FileTokenVault(file: file)
        try await vault.save(.named("access-1"))
        try await vault.withLock {}
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.url.path) {
            let path = directory.url.appending(path: name).path
            let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(permissions == 0o600, "\(name)")
        }
    }

    @Test func `a reader gets the old tokens or the new tokens, and never a mixture`() async throws {
        let vault = FileTokenVault(file: file)
        try await vault.save(.named("access-0"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        // The lengths differ greatly, so that a mixture would not decode.
                        let name = "access-\(writer)-" + String(repeating: "x", count: number * 100)
                        try await vault.save(.named(name))
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<200 { _ = try #require(try await vault.load()) }
                }
            }
            try await group.waitForAll()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
        #expect(names == ["tokens.json"])
    }

    @Test func `a file with other content throws an error with a remedy and without the content`() async throws {
        try Data("my secret".utf8).write(to: file)
        let error = try #require(await networkError { try await FileTokenVault(file: file).load() })
        #expect(error.code == .vaultFailed)
        #expect(
            error.description == """
                The token file \(file.path) does not contain valid tokens. Clear the vault and sign in again.
                """
        )
        try await FileTokenVault(file: file).clear()
        #expect(try await FileTokenVault(file: file).load() == nil)
    }

    @Test func `a missing directory throws an error with a remedy and leaves no file`() async throws {
        let vault = FileTokenVault(file: directory.url.appending(path: "missing/tokens.json"))
        for operation in [{ try await vault.save(.named("a")) }, { try await vault.withLock {} }] {
            let error = await networkError(operation)
            #expect(error?.code == .vaultFailed)
            #expect(error?.description.contains("Check that its directory exists") == true)
            #expect((error?.cause as? POSIXError)?.code == .ENOENT)
        }
        #expect(try await vault.load() == nil)
    }

    @Test(.rule("N31")) func `clearing a vault removes only its own files, including temporary files`() async throws {
        let left = ["tokens.json.new", "tokens.json.other.new", "other.json", "other.json.\(UUID()).new"]
        for name in left { try await FileTokenVault(file: directory.url.appending(path: name)).save(.named(name)) }
        let vault = FileTokenVault(file: file)
        try await vault.save(.named("access-1"))
        // A process ended while it saved.
        try Data("{".utf8).write(to: directory.url.appending(path: "tokens.json.\(UUID().uuidString).new"))
        try await vault.clear()
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: directory.url.path)) == Set(left))
    }

    @Test(.rule("N31")) func `saving and clearing at the same time does not fail`() async throws {
        let vault = FileTokenVault(file: file)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask { for _ in 0..<100 { try await vault.save(.named("access-\(number)")) } }
                group.addTask { for _ in 0..<100 { try await vault.clear() } }
            }
            try await group.waitForAll()
        }
        try await vault.clear()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
    }

    @Test(.rule("N31")) func `a symbolic link is not followed`() async throws {
        let elsewhere = directory.url.appending(path: "elsewhere")
        try await FileTokenVault(file: elsewhere).save(.named("access-0"))
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        let vault = FileTokenVault(file: file)
        #expect(await networkError { try await vault.load() }?.code == .vaultFailed)
        try await vault.save(.named("access-1"))
        #expect(try await vault.load()?.access.rawValue == "access-1")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        try await vault.clear()
        #expect(try await vault.load() == nil)
        #expect(try await FileTokenVault(file: elsewhere).load()?.access.rawValue == "access-0")
    }

    @Test func `a failed save leaves no file`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(await networkError { try await FileTokenVault(file: file).save(.named("a")) }?.code == .vaultFailed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["tokens.json"])
    }

    @Test func `a vault waits for a locked file until the lock is free or the lock timeout passes`() async throws {
        let clock = ManualClock()
        let held = AsyncLatch()
        let holder = Task { [file] in try await FileTokenVault(file: file).withLock { await held.wait() } }
        await held.arrivals(atLeast: 1)

        let hasty = FileTokenVault(file: file, lockTimeout: .seconds(1), clock: clock)
        let error = Task { await networkError { try await hasty.withLock { Issue.record("The lock was not free.") } } }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        let message = try #require(await error.value?.description)
        #expect(message.hasPrefix("Another process has locked the token file \(file.path)"))

        let patient = FileTokenVault(file: file, clock: clock)
        let hasRun = Watched(false)
        let waiting = Task { try await patient.withLock { hasRun.update { $0 = true } } }
        await clock.sleepers(atLeast: 1)
        held.open()
        try await holder.value
        #expect(!hasRun.value)
        clock.advance(by: .milliseconds(20))
        try await waiting.value
        #expect(hasRun.value)
    }

    @Test func `a cancelled wait for the lock throws CancellationError`() async throws {
        let clock = ManualClock()
        let lock = try #require(try FileLock(tryingAtPath: file.path + ".lock"))
        let vault = FileTokenVault(file: file, clock: clock)
        let waiting = Task { try await vault.withLock { Issue.record("The lock was not free.") } }
        await clock.sleepers(atLeast: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        lock.release()
    }
}
