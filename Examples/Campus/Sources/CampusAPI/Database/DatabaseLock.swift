import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock that lets only one server use a database.
///
/// SQLite alone would let several processes use the file. But each would count sign-in attempts on
/// its own. The lock is on a file of its own, because SQLite has its locks on the database, and
/// closing any descriptor of it would release them. The system releases the lock when the process
/// ends.
struct DatabaseLock: Sendable {
    private let file: FileDescriptor

    /// Takes the lock of the database at `path`.
    ///
    /// - Throws: ``CampusAPIError`` if another server has it, or the system's error.
    init(path: String) throws {
        file = try FileDescriptor.open(
            FilePath("\(path)-lock"),
            .readWrite,
            options: [.create, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let error = Errno(rawValue: errno)
            release()
            guard error == .wouldBlock else { throw error }
            throw CampusAPIError(
                .databaseInUse,
                """
                The database '\(path)' is used by another server. \
                Stop that server, use it with --api, or choose another file with --database.
                """,
                cause: error
            )
        }
    }

    /// Releases the lock.
    func release() {
        try? file.close()
    }
}
