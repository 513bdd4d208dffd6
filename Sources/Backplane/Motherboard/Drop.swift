/// Releases a value that has just been replaced or removed.
///
/// The old value of a property may have a `deinit` that uses the same property. In the middle of an
/// assignment, that traps. So read the old value first, then replace it, and release it here after
/// the assignment:
///
/// ```swift
/// let earlier = flows
/// flows = flows.removing(flow)
/// drop(earlier)
/// ```
///
/// This is not a function that replaces an `inout` value. If a property is modified like that,
/// every read of it in the module is checked at run time.
@inline(__always)
func drop<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
