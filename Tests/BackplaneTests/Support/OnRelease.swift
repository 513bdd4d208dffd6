import Backplane

/// An object that calls a closure when it is released.
final class OnRelease {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    deinit { action() }

    /// Does nothing, so that a closure can call it in order to capture the object.
    func touch() {}
}

/// A board whose input is an object.
enum Parcels: BoardContract {
    typealias Input = OnRelease
}

extension BoardID<Parcels> {
    static var parcels: Self { "parcels" }
}
