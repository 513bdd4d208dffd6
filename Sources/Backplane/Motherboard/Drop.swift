/// Lets go of a value that has just been replaced or taken out.
///
/// Whatever a property held may have a `deinit` that uses the same property, which traps in the middle of an assignment. So
/// what may be the last reference is read first, replaced, and let go of here, when the assignment is over:
///
/// ```swift
/// let earlier = flows
/// flows = flows.removing(flow)
/// drop(earlier)
/// ```
///
/// Not a function that replaces an `inout` value: for a property that is modified like that, every read in the module is
/// checked at run time.
@inline(__always)
func drop<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
