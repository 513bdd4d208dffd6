import Foundation

/// How much of a test's full size is run: a tenth, or what the environment says (`make verify` says 1).
func scaled(_ full: Int) -> Int {
    let scale = ProcessInfo.processInfo.environment["BACKPLANE_STRESS_SCALE"].flatMap(Double.init) ?? 0.1
    return Int(Double(full) * scale)
}
