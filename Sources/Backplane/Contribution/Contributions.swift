import Observation

/// A value that was contributed to a point.
class AnyContribution {
    let order: Int

    init(order: Int) {
        self.order = order
    }
}

/// An ``AnyContribution`` with the type of its value.
final class Contribution<Value>: AnyContribution {
    let make: () -> Value

    init(order: Int, _ make: @escaping () -> Value) {
        self.make = make
        super.init(order: order)
    }
}

/// The contributions of one motherboard to one point, in the order they were made.
final class Contributions {
    let point: String
    let type: Any.Type
    // By base class: see `uncheckedDowncast`. All values have the type `type`.
    var all: [AnyContribution] = []

    init(to point: String, of type: Any.Type) {
        self.point = point
        self.type = type
    }
}
