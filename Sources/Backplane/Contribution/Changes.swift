import Observation

/// The observers of a value that is stored elsewhere.
///
/// An object of a generic type tells its observers through this object, because the key paths of a
/// generic type are made anew at each use, which is slow.
package final class Changes: Observable {
    private let registrar = ObservationRegistrar()
    /// Used for its key path only.
    private var value: Void { () }

    package init() {}

    /// Records that the value is read.
    package func access() {
        registrar.access(self, keyPath: \.value)
    }

    /// Makes a change, and notifies the observers.
    package func notify<Result>(of change: () -> Result) -> Result {
        registrar.withMutation(of: self, keyPath: \.value, change)
    }
}
