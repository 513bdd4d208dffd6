import Foundation
import GRDB

/// A text about one world: its processes, the file after each of them, and the server.
struct Evidence {
    private var lines: [String] = []

    mutating func add(_ title: String, _ details: [String]) {
        lines.append(title)
        lines += details.map { "    \($0)" }
    }

    /// Adds the operations in a file.
    ///
    /// They are read from a copy, because opening the file would change it.
    mutating func addRows(of path: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "outbox-rows-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let copy = folder.appending(path: "copy").path
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            let rows = try DatabaseQueue(path: copy).read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT seq, id, state, isHead, attempts, status, notBefore, firstSentAt, dependsOn, entityTag, label
                        FROM operation ORDER BY seq
                        """
                )
            }
            add("the file", rows.map(\.description))
        } catch {
            add("the file cannot be copied while another process writes", ["\(error)"])
        }
    }

    mutating func add(_ history: History) {
        add("the requests, in the order of their arrival", history.exchanges.map(\.description))
    }

    /// Writes the text into a temporary file, and returns that.
    func write(seed: UInt64) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "outbox-torture-\(seed).txt")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
        return file
    }
}
