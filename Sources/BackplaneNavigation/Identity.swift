import BackplaneConcurrency

private let lastID = Locked(0)

/// Returns an ID that nothing in this process has had.
///
/// The address of an object is no ID: a new object may have the address of a released one, and
/// SwiftUI would show it with the state of the old one.
func newID() -> Int {
    lastID.withLock { last in
        last += 1
        return last
    }
}
