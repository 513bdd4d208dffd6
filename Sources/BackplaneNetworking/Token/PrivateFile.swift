package import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Operations on files that only their owner may read and write.
package enum PrivateFile {
    /// Creates the file at `path` if needed, and lets only its owner use it.
    ///
    /// A new file has these permissions from the start. Otherwise another process could open the
    /// file before they are set, and keep it open. A symbolic link is not followed for the same
    /// reason.
    ///
    /// A file that only its owner can use already is not opened: closing it would release the locks
    /// that this process has on it, such as the ones of an open database.
    package static func secure(atPath path: String) throws {
        // Unlike `lstat`, this needs no privacy manifest. It does not follow a link either.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        if isFile, attributes?[.posixPermissions] as? Int == 0o600 { return }
        let descriptor = try checked(open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
        defer { close(descriptor) }
        _ = try checked(fchmod(descriptor, 0o600))
    }

    /// Replaces the file at `path` with a file that contains `data`, and returns when it is on the
    /// disk.
    ///
    /// A reader finds the old contents or the new ones, even after a crash during the replacement.
    package static func replace(atPath path: String, with data: Data) throws {
        var isReplaced = false
        while !isReplaced { isReplaced = try tryToReplace(atPath: path, with: data) }
        try synchronizeDirectory(ofPath: path)
    }

    /// Replaces the file as ``replace(atPath:with:)`` does; returns `false` if ``remove(atPath:)``
    /// has removed the temporary file meanwhile.
    private static func tryToReplace(atPath path: String, with data: Data) throws -> Bool {
        // The temporary file is next to the file, because a rename works only within one file
        // system.
        let temporary = "\(path).\(UUID().uuidString)\(temporarySuffix)"
        do {
            let descriptor = try checked(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            if rename(temporary, path) == 0 { return true }
            if errno == ENOENT { return false }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes the file at `path`, and the temporary files of processes that ended during a
    /// replacement.
    ///
    /// On return, they are gone from the disk too.
    static func remove(atPath path: String) throws {
        let file = URL(filePath: path)
        let directory = file.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where isTemporary(name, of: file.lastPathComponent) {
            unlink(directory.appending(path: name).path)
        }
        if unlink(path) != 0, errno != ENOENT { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // A directory that does not exist has nothing to synchronize.
        if !names.isEmpty { try synchronizeDirectory(ofPath: path) }
    }

    /// Returns whether `name` is that of a temporary file for the file called `owner`, and not
    /// another file such as `owner.new`.
    private static func isTemporary(_ name: String, of owner: String) -> Bool {
        guard name.hasPrefix("\(owner)."), name.hasSuffix(temporarySuffix) else { return false }
        return UUID(uuidString: String(name.dropFirst(owner.count + 1).dropLast(temporarySuffix.count))) != nil
    }

    private static let temporarySuffix = ".new"

    /// Returns the contents of the file at `path`, or `nil` if there is no file.
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
