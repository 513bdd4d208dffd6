import BackplaneConcurrency
import BackplaneTesting
import Foundation

/// Returns the part of a test's full size that is run.
///
/// The part is a tenth unless the environment sets `BACKPLANE_STRESS_SCALE` (`make verify` sets 1).
func scaled(_ full: Int) -> Int {
    let scale = ProcessInfo.processInfo.environment["BACKPLANE_STRESS_SCALE"].flatMap(Double.init) ?? 0.1
    return Int(Double(full) * scale)
}

/// A count of the objects that exist, and a latch that opens when none is left.
final class Census: Sendable {
    private let left: Locked<Int>
    let allGone = AsyncLatch()

    init(expecting expected: Int) {
        left = Locked(expected)
    }

    func go() {
        let left = left.withLock { left in
            left -= 1
            return left
        }
        if left == 0 { allGone.open() }
    }
}
