import BackplaneTesting
import Foundation
import TestSupport

/// The part of a run on a disk without free space.
///
/// It needs a small file system of its own. So the program starts itself again in a namespace in
/// which it may mount one, which Linux permits to ordinary users on most machines.
///
/// The log of SQLite grows to 1 MB before it is reused. So the file system has 16 MB, and a file
/// that leaves less than 1 MB of them is removed at the end.
enum FullDisk {
    private static let script = "mount -t tmpfs -o size=16m none \"$1\" && echo mounted && shift && exec \"$@\""

    /// Runs the part in a process of its own.
    ///
    /// - Returns: The report, or `nil` if the machine permits no small file system.
    /// - Throws: The error of the file system.
    static func run(_ options: Options, seed: UInt64) async throws -> Report? {
        let directory = FileManager.default.temporaryDirectory.appending(path: "outbox-full-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let child = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            ["unshare", "-rm", "sh", "-c", script, "sh", directory.path, options.program.path, "full-disk"]
                + ["\(seed)", directory.path]
        )
        await child.hasEnded()
        for line in child.lines where line.hasPrefix("  ") { say(line) }
        let json = child.lines.last(where: { $0.hasPrefix("{") })
        if let json { return try JSONDecoder().decode(Report.self, from: Data(json.utf8)) }
        guard child.lines.contains("mounted") else { return nil }
        var report = Report()
        report.add(.notPlayed, "a full disk gave no report, after \(child.lines.suffix(3))")
        return report
    }

    /// Runs the part in this process, with the outbox in `directory`, and prints the report.
    static func run(in directory: URL, _ options: Options, seed: UInt64) async throws {
        let world = try World(options, seed: seed, files: directory)
        let first = try world.start(as: "ada", count: 5)
        await world.wait(for: "done", of: first)
        await world.kill(first, at: "before a full disk")
        world.mayBeFull = true
        for round in 0..<4 {
            world.server.state.update { $0.isFaulty = true }
            try fill(directory, except: 50_000 + world.generator.below(250_000))
            // First without confirmations: they make space as fast as a slow machine saves.
            if round == 0 { world.server.hold(.beforeExecution) }
            let child = try world.start(as: "ada", count: 100)
            if round.isMultiple(of: 2) { await world.wait(for: "done", of: child) }
            await world.kill(child, at: "with a full disk", within: 500)
            world.server.release(dropping: true)
            try FileManager.default.removeItem(at: directory.appending(path: "ballast"))
        }
        var report = try await world.finish()
        if report.decisions["not saved"] == nil { report.add(.notPlayed, "the disk was never full") }
        say(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    }

    /// Writes a file that leaves only so many bytes of the file system.
    private static func fill(_ directory: URL, except rest: Int) throws {
        let ballast = directory.appending(path: "ballast")
        try Data().write(to: ballast)
        let file = try FileHandle(forWritingTo: ballast)
        while (try? file.write(contentsOf: Data(count: 64 * 1024))) != nil {}
        let size = Int(try file.seekToEnd())
        try file.truncate(atOffset: UInt64(max(size - rest, 0)))
    }
}
