import BackplaneConcurrency
import Foundation
import Testing

struct FileLockTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    @Test func `a file lock has a single holder until its release`() throws {
        let first = try #require(try FileLock(tryingAtPath: path))
        #expect(try FileLock(tryingAtPath: path) == nil)
        first.release()
        first.release()
        let second = try #require(try FileLock(tryingAtPath: path))
        #expect(try FileLock(tryingAtPath: path) == nil)
        second.release()
        unlink(path)
    }

    @Test func `a lock is free after its holder is released`() throws {
        for _ in 0..<2 { _ = try #require(try FileLock(tryingAtPath: path)) }
        unlink(path)
    }

    @Test func `a file that cannot be opened throws an error`() {
        #expect(throws: FileLock.Failure.self) { try FileLock(tryingAtPath: "/nowhere/\(UUID().uuidString)") }
    }

    #if compiler(>=6.3) && (os(macOS) || os(Linux))
        @Test func `a lock of a killed process is free`() async throws {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let lock = try FileLock(tryingAtPath: path)
                #expect(try FileLock(tryingAtPath: path) == nil)
                withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
            }
            #expect(try FileLock(tryingAtPath: path) != nil)
            unlink(path)
        }
    #endif

    /// Takes the lock, half of the time without blocking.
    private static func lock(_ path: String) async -> FileLock? {
        guard Bool.random() else { return try? FileLock(blockingAtPath: path) }
        while true {
            guard let lock = try? FileLock(tryingAtPath: path) else {
                await Task.yield()
                continue
            }
            return lock
        }
    }

    @Test func `many threads hold a lock in turn and never at the same time`() async throws {
        let isTaken = Locked(false)
        let turns = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        guard let lock = await Self.lock(path) else { return }
                        let wasTaken = isTaken.withLock { taken in
                            defer { taken = true }
                            return taken
                        }
                        #expect(!wasTaken)
                        turns.withLock { $0 += 1 }
                        isTaken.withLock { $0 = false }
                        lock.release()
                    }
                }
            }
        }
        #expect(turns.withLock { $0 } == 1600)
        unlink(path)
    }
}
