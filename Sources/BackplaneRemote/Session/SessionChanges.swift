internal import Observation

/// The observers of a session or an account.
///
/// A separate type, because Observation identifies properties by key paths, and the key paths of a
/// generic type are made anew at each use.
final class SessionChanges: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Used for its key path only.
    private var value: Void { () }

    /// Records that a value is read.
    func observe() {
        registrar.access(self, keyPath: \.value)
    }

    /// Notifies the observers; called after the change and without a lock, because an observer may
    /// read values at once.
    func publish() {
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
