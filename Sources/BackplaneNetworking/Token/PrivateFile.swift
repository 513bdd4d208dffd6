internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Files that only their owner may read and write.
package enum PrivateFile {
    /// Sees to it that there is a file at `path`, and that only its owner may use it.
    ///
    /// It is created with these permissions rather than given them later: whoever opens a file in between keeps it open.
    /// A link is not followed, for the same reason.
    package static func secure(atPath path: String) throws {
        let descriptor = try checked(open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
        defer { close(descriptor) }
        _ = try checked(fchmod(descriptor, 0o600))
    }

    /// Replaces the file at `path` by one with `data`, which is on the disk on return.
    ///
    /// Whoever reads it, also after a crash in between, finds the old contents or the new.
    static func replace(atPath path: String, with data: Data) throws {
        // Beside the file: a file can be renamed only within its file system.
        let temporary = "\(path).\(UUID().uuidString).new"
        do {
            let descriptor = try checked(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            _ = try checked(rename(temporary, path))
        } catch {
            unlink(temporary)
            throw error
        }
        try synchronizeDirectory(ofPath: path)
    }

    /// Removes the file at `path` if there is one, and what processes that died while they replaced it left beside it.
    ///
    /// On return they are gone from the disk, too. Call it only while nobody else replaces the file.
    static func remove(atPath path: String) throws {
        let file = URL(filePath: path)
        let directory = file.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where name.hasPrefix("\(file.lastPathComponent).") && name.hasSuffix(".new") {
            unlink(directory.appending(path: name).path)
        }
        if unlink(path) != 0, errno != ENOENT { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // A directory that is not there holds nothing.
        if !names.isEmpty { try synchronizeDirectory(ofPath: path) }
    }

    /// The contents of the file at `path`, or `nil` if there is none.
    static func contents(atPath path: String) throws -> Data? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
    }

    private static func synchronizeDirectory(ofPath path: String) throws {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = try checked(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        defer { close(descriptor) }
        _ = try checked(fsync(descriptor))
    }

    private static func checked(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }
}
