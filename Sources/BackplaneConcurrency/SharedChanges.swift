internal import Observation

/// The observers of values that any thread changes, and that are stored elsewhere.
///
/// A separate type, because Observation identifies properties by key paths, and the key paths of a
/// generic type are made anew at each use.
package final class SharedChanges: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Used for its key path only.
    private var value: Void { () }

    package init() {}

    /// Records that a value is read.
    package func observe() {
        registrar.access(self, keyPath: \.value)
    }

    /// Notifies the observers; called after the change and without a lock, because an observer may
    /// read values at once.
    package func publish() {
        notify()
        // Observation registers an observer after it has read the values. A change in between, on
        // another thread, would be missed. On the main actor both happen in one job, so the
        // observers there are notified once more after that job.
        Task { @MainActor in self.notify() }
    }

    private func notify() {
        registrar.withMutation(of: self, keyPath: \.value) {}
    }
}
