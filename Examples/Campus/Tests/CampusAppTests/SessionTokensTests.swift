import BackplaneNetworking
import BackplaneTesting
import Foundation
import Testing

@testable import CampusApp

@Suite(.timeLimit(.minutes(5)))
struct SessionTokensTests {
    private func tokens(_ number: Int) -> NetworkTokens { NetworkTokens(access: AccessToken(rawValue: "\(number)")) }

    @Test func `many sessions store their own tokens in one new file at the same time`() async throws {
        try await withTemporaryDirectory { directory in
            let all = SessionTokens(file: directory.appending(path: "sessions.sqlite"))
            try await withThrowingTaskGroup { group in
                for number in 0..<50 {
                    let (vault, tokens) = (all.vault(of: "\(number)"), tokens(number))
                    group.addTask {
                        try await vault.save(tokens)
                        if number.isMultiple(of: 2) { try await vault.clear() }
                        #expect(try await vault.load()?.access == (number.isMultiple(of: 2) ? nil : tokens.access))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `clearing the tokens finishes, even if its task is cancelled`() async throws {
        try await withTemporaryDirectory { directory in
            let vault = SessionTokens(file: directory.appending(path: "sessions.sqlite")).vault(of: "ada")
            try await vault.save(tokens(1))
            let latch = AsyncLatch()
            let clearing = Task {
                await latch.wait()
                try await vault.clear()
            }
            clearing.cancel()
            latch.open()
            try await clearing.value
            #expect(try await vault.load() == nil)
        }
    }

    @Test func `an operation throws if the file cannot be used, and the next operation tries again`() async throws {
        try await withTemporaryDirectory { directory in
            let missing = directory.appending(path: "missing")
            let vault = SessionTokens(file: missing.appending(path: "sessions.sqlite")).vault(of: "ada")
            await #expect(throws: (any Error).self) { try await vault.load() }
            try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
            #expect(try await vault.load() == nil)
        }
    }
}
