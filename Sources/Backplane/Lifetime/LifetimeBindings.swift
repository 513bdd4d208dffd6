import BackplaneConcurrency

/// The bindings of one board, or one motherboard, to the lifetimes of objects.
///
/// A lifetime is held weakly, or it would not end with its object; and it is told to forget what no longer matters, for it
/// may outlive very many boards.
///
/// A component may call back into any of this when it is let go of. So everything is taken out
/// first, and let go of when nothing here is being changed.
final class LifetimeBindings {
    private struct Binding {
        weak var lifetime: Lifetime?
        var key = 0
        /// The component that is kept while the lifetime goes on; nil for a mere call.
        let component: AnyObject?
    }

    private var bindings: [Int: Binding] = [:]
    private var lastNumber = 0
    /// The bindings of the present activation, as opposed to those of the board.
    private var paired: [Int] = []
    private var pairedIn: UInt64 = 0
    private var actionsAtCut: [() -> Void] = []

    var count: Int { bindings.count }

    /// Keeps `component` until `lifetime` ends or this is cut.
    func keep(_ component: AnyObject, for lifetime: Lifetime, on owner: any Actor) {
        _ = bind(component, to: lifetime, on: owner) {}
    }

    /// Calls `action` when `lifetime` ends, unless this is cut or another activation paired before.
    func pair(
        _ activation: UInt64,
        with lifetime: Lifetime,
        on owner: any Actor,
        _ action: @escaping () -> Void
    ) {
        if pairedIn != activation {
            let earlier = paired
            paired = []
            pairedIn = activation
            for number in earlier { release(number) }
        }
        let number = bind(nil, to: lifetime, on: owner, action)
        // A call made meanwhile may have paired a later activation.
        if pairedIn == activation { paired.append(number) } else { release(number) }
    }

    /// Calls `action` when this is cut.
    func atCut(_ action: @escaping () -> Void) {
        actionsAtCut.append(action)
    }

    /// Lets go of everything, in the order in which it was tied.
    func cut() {
        let actions = actionsAtCut
        actionsAtCut = []
        paired = []
        var released = bindings.sorted { $0.key > $1.key }.map(\.value)
        bindings = [:]
        for action in actions { action() }
        while let binding = released.popLast() { binding.lifetime?.forget(binding.key) }
    }

    private func bind(
        _ component: AnyObject?,
        to lifetime: Lifetime,
        on owner: any Actor,
        _ action: @escaping () -> Void
    ) -> Int {
        lastNumber += 1
        let number = lastNumber
        // Before the call is ordered, which may be made at once.
        bindings[number] = Binding(component: component)
        let call = OwnerCall(on: owner) { [weak self] in
            let binding = self?.bindings.removeValue(forKey: number)
            action()
            withExtendedLifetime(binding) {}
        }
        let key = lifetime.atEnd(call)
        if bindings[number] == nil {
            // The call was made, or this was cut meanwhile.
            lifetime.forget(key)
        } else {
            bindings[number]?.lifetime = lifetime
            bindings[number]?.key = key
        }
        return number
    }

    private func release(_ number: Int) {
        guard let binding = bindings.removeValue(forKey: number) else { return }
        binding.lifetime?.forget(binding.key)
    }
}
