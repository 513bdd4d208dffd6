import BackplaneNetworking
import BackplaneStorage
import CampusSessions
import Foundation
import Testing
import WebHost

@Suite(.timeLimit(.minutes(5)))
struct SQLiteSessionStoreTests {
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let directory = URL.temporaryDirectory.appending(path: "campus-sessions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory.appending(path: "sessions.sqlite"))
    }

    private func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `records are added, replaced and removed, and the next store on the file reads them`() async throws {
        try await withFile { file in
            let expected = ["a": Data("3".utf8), "c": Data()]
            do {
                let store = try SQLiteSessionStore(file: file)
                #expect(try await store.records().isEmpty)
                try await store.update(["a": Data("1".utf8), "b": Data("2".utf8), "c": Data()])
                try await store.update(["a": Data("3".utf8), "b": nil, "missing": nil])
                #expect(try await store.records() == expected)
            }
            #expect(try await SQLiteSessionStore(file: file).records() == expected)
        }
    }

    @Test func `a check writes, leaves no record, and fails if the file was deleted`() async throws {
        try await withFile { file in
            let store = try SQLiteSessionStore(file: file)
            try await store.check()
            #expect(try await store.records().isEmpty)
            try FileManager.default.removeItem(at: file)
            await #expect(throws: CocoaError.self) { try await store.check() }
        }
    }

    @Test func `after the store is closed, a copy of the file alone has all records`() async throws {
        try await withFile { file in
            let store = try SQLiteSessionStore(file: file)
            try await store.update(["a": Data("1".utf8)])
            try await store.close()
            let copy = file.deletingLastPathComponent().appending(path: "copy.sqlite")
            try FileManager.default.copyItem(at: file, to: copy)
            #expect(try await SQLiteSessionStore(file: copy).records() == ["a": Data("1".utf8)])
        }
    }

    @Test func `only the owner may read and write the file and the files next to it`() async throws {
        try await withFile { file in
            #expect(
                FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o644])
            )
            let store = try SQLiteSessionStore(file: file)
            try await store.update(["a": Data()])
            for suffix in ["", "-wal", "-shm", "-host"] { #expect(try permissions(of: file.path + suffix) == 0o600) }
        }
    }

    @Test func `opening an unusable file throws an error that names the file and a remedy`() async throws {
        try await withFile { file in
            let directory = file.deletingLastPathComponent()
            let elsewhere = directory.appending(path: "elsewhere")
            try Data("This text is long enough for SQLite to see no database.".utf8).write(to: elsewhere)
            try FileManager.default.createSymbolicLink(
                at: file,
                withDestinationURL: directory.appending(path: "planted")
            )
            for path in [file, elsewhere, file.appending(path: "below-a-file")] {
                let error = #expect(throws: SessionFileError.self) { try SQLiteSessionStore(file: path) }
                #expect(error?.description.contains("'\(path.path)'") ?? false)
                #expect(error?.description.contains("--sessions") ?? false)
            }
        }
    }

    @Test func `a file in use is refused with an error that names it, until its store is released`() async throws {
        try await withFile { file in
            do {
                let store = try SQLiteSessionStore(file: file)
                let error = #expect(throws: SessionFileError.self) { try SQLiteSessionStore(file: file) }
                #expect(error?.description.contains("'\(file.path)' is in use by another process") ?? false)
                #expect(error?.description.contains("--sessions") ?? false)
                try await store.update(["a": Data()])
            }
            #expect(try await SQLiteSessionStore(file: file).records().count == 1)
        }
    }

    @Test func `a damaged file is refused when it is opened`() async throws {
        try await withFile { file in
            do {
                let store = try SQLiteSessionStore(file: file)
                let record = Data(repeating: 1, count: 2000)
                try await store.update(Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", record) }))
            }
            var content = try Data(contentsOf: file)
            let page = content.count - 4096..<content.count
            content.replaceSubrange(page, with: Data(repeating: 0xAA, count: 4096))
            try content.write(to: file)
            let error = #expect(throws: SessionFileError.self) { try SQLiteSessionStore(file: file) }
            #expect(error?.description.contains("'\(file.path)'") ?? false)
            #expect(error?.description.contains("--sessions") ?? false)
        }
    }

    @Test func `the session store and the token vaults use one file at the same time`() async throws {
        try await withFile { file in
            let store = try SQLiteSessionStore(file: file)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for number in 0..<100 { try await store.update(["\(number)": Data("\(number)".utf8)]) }
                }
                group.addTask {
                    for number in 0..<20 {
                        let vault = try SQLiteTokenVault(file: file, account: "\(number)")
                        try await vault.save(NetworkTokens(access: AccessToken(rawValue: "\(number)")))
                        if number.isMultiple(of: 2) { try await vault.clear() }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.records().count == 100)
            for number in 0..<20 {
                let tokens = try await SQLiteTokenVault(file: file, account: "\(number)").load()
                #expect(tokens?.access.rawValue == (number.isMultiple(of: 2) ? nil : "\(number)"))
            }
        }
    }
}
