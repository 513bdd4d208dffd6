import Foundation

/// Returns the part of a test's full size that is run.
///
/// The part is a tenth unless the environment sets `BACKPLANE_STRESS_SCALE` (`make verify` sets 1).
func scaled(_ full: Int) -> Int {
    let scale = ProcessInfo.processInfo.environment["BACKPLANE_STRESS_SCALE"].flatMap(Double.init) ?? 0.1
    return Int(Double(full) * scale)
}
