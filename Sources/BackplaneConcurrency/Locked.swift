#if canImport(Darwin)
    private import Darwin
#elseif canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// A value behind a lock: the only way in this package to share mutable state between threads.
///
/// The lock is a pthread mutex, because the thread sanitizer understands it on every platform. On
/// Linux the sanitizer does not see `Synchronization.Mutex`, which also needs newer systems than
/// our deployment targets.
///
/// `body` must be short and must not call other code. Decide under the lock, and act after it.
///
/// ```swift
/// let count = Locked(0)
/// let now = count.withLock { $0 += 1; return $0 }
/// ```
// Unchecked, because the compiler cannot see that `state` is used only between lock and unlock.
package final class Locked<State: Sendable>: @unchecked Sendable {
    // On the heap, because a mutex must keep its address, and a Swift stored property does not
    // guarantee one.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var state: State

    /// Creates a lock around `state`.
    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed with error \(status).")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value and returns its result.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
