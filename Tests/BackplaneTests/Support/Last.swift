import BackplaneConcurrency
import Dispatch

/// The last reference to an object, which any thread can release.
final class Last<Object: AnyObject & Sendable>: Sendable {
    private let object: Locked<Object?>

    init(_ object: Object) {
        self.object = Locked(object)
    }

    var current: Object? { object.withLock { $0 } }

    func release() {
        // Released when the lock is free, because the release may come back here.
        let object = object.withLock { $0.take() }
        withExtendedLifetime(object) {}
    }

    /// Releases the object on another thread, and returns when it is released.
    ///
    /// The caller keeps its actor meanwhile.
    func releaseElsewhere() {
        let release = DispatchWorkItem { self.release() }
        DispatchQueue.global().async(execute: release)
        release.wait()
    }
}
