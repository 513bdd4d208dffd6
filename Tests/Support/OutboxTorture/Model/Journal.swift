import Foundation

/// A step of a process, which is on the disk.
enum JournalEntry: Codable, Sendable {
    /// An operation is about to be saved. `base` is the number of changes of its record that the
    /// user sees from the server.
    case saving(TortureOperation, base: Int?)
    case saved(Int)
    /// An operation was not saved, for this reason.
    case refused(Int, String)
    /// A decision is about to be made.
    case discarding(Int)
    case discarded([Int])
    case editing(Int)
    case retrying(Int)
    /// The three versions of a conflict were merged, for the version of the server.
    case resolving(Int)
}

/// A file of lines, each of which is on the disk when `note` returns.
struct Journal: Sendable {
    private let file: FileHandle

    init(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func note(_ entry: JournalEntry) throws {
        try file.write(contentsOf: JSONEncoder().encode(entry) + Data("\n".utf8))
        try file.synchronize()
    }

    /// Reads a file; a process that was killed at its start has none.
    static func entries(of path: String) -> [JournalEntry] {
        let data = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
        return data.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(JournalEntry.self, from: Data($0))
        }
    }
}
