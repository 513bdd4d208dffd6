import BackplaneNetworking
import BackplaneTesting
import Foundation
import Testing

@testable import CampusApp

@Suite(.timeLimit(.minutes(5)))
struct SessionTokensTests {
    private func tokens(_ number: Int) -> NetworkTokens { NetworkTokens(access: AccessToken(rawValue: "\(number)")) }

    @Test func `many sessions use one new file at once, each with tokens of its own`() async throws {
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

    @Test func `what was asked for is done although who asked was cancelled`() async throws {
        try await withTemporaryDirectory { directory in
            let vault = SessionTokens(file: directory.appending(path: "sessions.sqlite")).vault(of: "ada")
            try await vault.save(tokens(1))
            let gate = AsyncLatch()
            let clearing = Task {
                await gate.wait()
                try await vault.clear()
            }
            clearing.cancel()
            gate.open()
            try await clearing.value
            #expect(try await vault.load() == nil)
        }
    }

    @Test func `a file that cannot be used is an error, and the next operation tries again`() async throws {
        try await withTemporaryDirectory { directory in
            let missing = directory.appending(path: "missing")
            let vault = SessionTokens(file: missing.appending(path: "sessions.sqlite")).vault(of: "ada")
            await #expect(throws: (any Error).self) { try await vault.load() }
            try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
            #expect(try await vault.load() == nil)
        }
    }
}
