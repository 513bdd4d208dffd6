import Observation

/// The contributions of one motherboard to one point, in the order in which they were made.
class Contributions {
    let name: String
    let type: Any.Type
    var count: Int { 0 }
    func removeAll() {}

    init(name: String, type: Any.Type) {
        self.name = name
        self.type = type
    }
}

/// ``Contributions`` with the type of their values.
final class TypedContributions<Value>: Contributions {
    final class Entry {
        let order: Int
        let make: () -> Value

        init(_ order: Int, _ make: @escaping () -> Value) {
            self.order = order
            self.make = make
        }
    }

    var entries: [Entry] = []

    override var count: Int { entries.count }

    override func removeAll() {
        let earlier = entries
        entries = []
        letGo(of: earlier)
    }
}

/// Tells observers of a point, anywhere in a tree of motherboards, that its contributions are others now.
final class PointChanges: Observable {
    private let registrar = ObservationRegistrar()
    /// Only the key path of it is used.
    private var contributions: Void { () }

    func access() {
        registrar.access(self, keyPath: \.contributions)
    }

    func notify(of change: () -> Void) {
        registrar.withMutation(of: self, keyPath: \.contributions, change)
    }
}
