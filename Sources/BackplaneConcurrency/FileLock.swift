#if canImport(Darwin)
    private import Darwin
#elseif canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// A lock between processes that uses a file and `flock(2)`; the system releases it when the
/// holding process ends.
///
/// Each instance is a separate holder, so the lock also works between two users inside one process.
/// An instance holds the lock until ``release()``, or until the instance is deallocated.
///
/// The lock creates the file if it does not exist, readable and writable for its owner only, and
/// never removes it. If it removed the file, one process could lock the old file and another
/// process the new one.
package final class FileLock: Sendable {
    private let descriptor: Locked<Int32?>

    /// Takes the lock of the file at `path`, or returns `nil` if another holder has it.
    ///
    /// - Throws: ``Failure`` if the file cannot be opened or locked.
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

    /// Takes the lock of the file at `path`, and blocks the thread until the lock is free.
    ///
    /// Use it for locks that are held for a short time only, and on threads that may block.
    ///
    /// - Throws: ``Failure`` if the file cannot be opened or locked.
    package init(blockingAtPath path: String) throws(Failure) {
        let descriptor = try Self.openFile(atPath: path)
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            // A signal interrupted the call, which does not affect the lock.
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

    /// Releases the lock; further calls do nothing.
    package func release() {
        let descriptor = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        // Closing the file releases the lock.
        if let descriptor { close(descriptor) }
    }

    /// The reason why a lock could not be taken.
    package struct Failure: Error {
        /// The error number of the system, `errno`.
        package let number: Int32
    }
}
