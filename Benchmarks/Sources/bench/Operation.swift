/// Something that can be done any number of times in a row, to be timed.
///
/// The loop is inside `perform`, so that calling it costs nothing that is measured.
struct Operation {
    /// How often it is done in a sample; nil: as often as fills the time of one.
    var count: Int?
    /// What goes before each sample and is not timed.
    var prepare: () -> Void = {}
    let perform: (_ count: Int) async -> Void
}

/// Makes the compiler compute `value`, which nobody needs.
func consume(_ value: Int) {
    if value == .min { print("unlikely") }
}
