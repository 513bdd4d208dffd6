import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock between processes on a file; the system releases it when its process ends, however it
/// ends.
///
/// The file stays. If a process removed it, another process could hold the lock of the old file and
/// a third one that of a new file.
final class ProcessLock: Sendable {
    private let descriptor: CInt

    /// Takes the lock of the file at `path`, or returns `nil` if another process has it.
    ///
    /// - Throws: the system's error if the file cannot be opened or locked.
    init?(path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path),
            .readWrite,
            options: [.create, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let error = Errno(rawValue: errno)
            try file.close()
            if error == .wouldBlock { return nil }
            throw error
        }
        descriptor = file.rawValue
    }

    deinit {
        // Closing the file releases the lock.
        try? FileDescriptor(rawValue: descriptor).close()
    }
}
