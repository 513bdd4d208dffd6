import CampusAPI
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DatabaseFileTests {
    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `other users of the machine cannot read any file of the database`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let files = ["", "-wal", "-shm", "-lock"].map { configuration.databasePath + $0 }
            try await withAPI(configuration) { _ async throws in
                for file in files { #expect(try permissions(file) == 0o600, "\(file)") }
            }
            // An earlier version created the file with the permissions that are usual.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files[0])
            try await withAPI(configuration) { _ async throws in
                for file in files { #expect(try permissions(file) == 0o600, "\(file)") }
            }
        }
    }

    @Test func `a database that is a link is refused`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let target = directory.appending(path: "elsewhere.sqlite").path
            try FileManager.default.createSymbolicLink(
                atPath: configuration.databasePath,
                withDestinationPath: target
            )
            let error = await #expect(throws: CampusAPIError.self) { try await withAPI(configuration) { _ in } }
            #expect(error?.code == .databaseUnavailable)
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test func `a second server on the same database fails and says so, until the first one ends`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            try await withAPI(configuration) { api async throws in
                let error = await #expect(throws: CampusAPIError.self) { try await withAPI(configuration) { _ in } }
                #expect(error?.code == .databaseInUse)
                #expect(error?.message.contains("'\(configuration.databasePath)'") == true)
                #expect(error?.message.contains("--database") == true)
                #expect(try await api.get("/health").status == 200)
            }
            try await withAPI(configuration) { api async throws in #expect(try await api.get("/health").status == 200) }
        }
    }
}
