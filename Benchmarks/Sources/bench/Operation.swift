/// An operation that can run any number of times in a row, to be timed.
///
/// The loop is inside `perform`, so the call itself adds nothing to the measurement.
struct Operation {
    /// The number of repetitions in a sample; `nil` for as many as fill the time of one sample.
    var count: Int?
    /// A closure that runs before each sample and is not timed.
    var prepare: () -> Void = {}
    let perform: (_ count: Int) async -> Void
}

/// Uses `value`, so that the compiler cannot remove its computation.
func consume(_ value: Int) {
    if value == .min { print("unlikely") }
}
