#if canImport(Darwin)
    private import Darwin
#elseif canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// A lock that processes hold by a file: `flock(2)`, which the system takes back when the process that holds it dies.
///
/// Each instance is a holder of its own, so it also keeps those apart that share a process. It is held until
/// ``release()``, or until nobody refers to it any more.
///
/// The file is made when it is not there, for its owner only, and stays: removing it would let one process lock the old
/// file and another the new one.
package final class FileLock: Sendable {
    private let descriptor: Locked<Int32?>

    /// Takes the lock of the file at `path`; `nil` if somebody holds it.
    ///
    /// - Throws: ``Failure`` when the file cannot be opened or locked.
    package init?(tryingAtPath path: String) throws(Failure) {
        let descriptor = try Self.openFile(atPath: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { return nil }
            throw Failure(number: number)
        }
        self.descriptor = Locked(descriptor)
    }

    /// Takes the lock of the file at `path`, and blocks the thread until it is free: for locks that nobody holds for long,
    /// on threads that may be blocked.
    ///
    /// - Throws: ``Failure`` when the file cannot be opened or locked.
    package init(blockingAtPath path: String) throws(Failure) {
        let descriptor = try Self.openFile(atPath: path)
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            // A signal arrived; it is nothing to the lock.
            if number == EINTR { continue }
            close(descriptor)
            throw Failure(number: number)
        }
        self.descriptor = Locked(descriptor)
    }

    private static func openFile(atPath path: String) throws(Failure) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        return descriptor
    }

    deinit { release() }

    /// Lets go of the lock; once it has been released, does nothing.
    package func release() {
        let descriptor = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        // Closing is what releases it.
        if let descriptor { close(descriptor) }
    }

    /// Why a lock cannot be had.
    package struct Failure: Error {
        /// The system's number for it, `errno`.
        package let number: Int32
    }
}
