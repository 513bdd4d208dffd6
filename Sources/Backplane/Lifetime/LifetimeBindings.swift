import BackplaneConcurrency

/// The bindings of one board, or one motherboard, to the lifetimes of objects.
///
/// A lifetime is held weakly, because otherwise it would not end with its object. A binding that
/// ends also tells its lifetime to forget it, because the lifetime may outlive very many boards.
///
/// The release of a component may call back into this object. So everything is taken out first, and
/// is released when nothing here is being changed.
final class LifetimeBindings {
    private struct Binding {
        weak var lifetime: Lifetime?
        var key = 0
        /// The component to keep until the lifetime ends; `nil` if there is only a call to make.
        let component: AnyObject?
    }

    private var bindings: [Int: Binding] = [:]
    private var lastNumber = 0
    /// The bindings of the current activation only; other bindings belong to the board.
    private var paired: [Int] = []
    private var pairedIn: UInt64 = 0
    private var actionsAtCut: [() -> Void] = []
    private var actionsAtEnd: [(action: () -> Void, call: OwnerCall)] = []

    var count: Int { bindings.count }

    /// Keeps `component` until `lifetime` ends or the bindings are cut.
    func keep(_ component: AnyObject, for lifetime: Lifetime, on owner: any Actor) {
        _ = bind(component, to: lifetime, on: owner) {}
    }

    /// Calls `action` when `lifetime` ends, unless the bindings are cut or a later activation pairs
    /// first.
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
        // A call made during `bind` may have paired a later activation.
        if pairedIn == activation { paired.append(number) } else { release(number) }
    }

    /// Calls `action` when the bindings are cut.
    func atCut(_ action: @escaping () -> Void) {
        actionsAtCut.append(action)
    }

    /// Calls `action` when the bindings are cut because their board completes.
    ///
    /// If the motherboard is released, the action is called on `owner` one hop later, because a
    /// release may happen on any thread.
    func atEnd(on owner: any Actor, _ action: @escaping () -> Void) {
        actionsAtEnd.append((action: action, call: OwnerCall(on: owner, action)))
    }

    /// Calls the actions, and releases all bindings in the order they were created.
    ///
    /// - Parameter isCompleting: `false` if the motherboard is released without completing.
    func cut(isCompleting: Bool = true) {
        let (actions, endings) = (actionsAtCut, actionsAtEnd)
        actionsAtCut = []
        actionsAtEnd = []
        paired = []
        var released = bindings.sorted { $0.key > $1.key }.map(\.value)
        bindings = [:]
        for action in actions { action() }
        for ending in endings {
            if isCompleting { ending.action() } else { ending.call.later() }
        }
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
        // Stored before the call is registered, because the call may be made at once.
        bindings[number] = Binding(component: component)
        let call = OwnerCall(on: owner) { [weak self] in
            let binding = self?.bindings.removeValue(forKey: number)
            action()
            withExtendedLifetime(binding) {}
        }
        let key = lifetime.atEnd(call)
        if bindings[number] == nil {
            // The call was made during registration, or the bindings were cut.
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
