/// Replaces a value and returns the old one.
///
/// The old value is released only after the modification has ended, so that a `deinit` which it
/// causes may use whatever is being modified.
@inline(__always)
func exchange<Value>(_ value: inout Value, for new: Value) -> Value {
    var old = new
    swap(&value, &old)
    return old
}
