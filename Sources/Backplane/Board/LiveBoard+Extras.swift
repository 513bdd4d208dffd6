import BackplaneConcurrency

extension AnyLiveBoard {
    /// State that most boards never need, stored separately so that they do not pay for it.
    final class Extras {
        var nested: Motherboard?
        var works: [Work] = []
        var staleWork = StaleWork()
        fileprivate(set) var bindings: LifetimeBindings?
        // Without their class: see `uncheckedDowncast`. Only the properties of the same names in
        // `LiveBoard` set these.
        fileprivate var keptInput: AnyObject?
        fileprivate(set) var purpose: Purpose?
        fileprivate(set) weak var listener: AnyObject?
        fileprivate(set) var isPrivate = false
    }

    /// The gate runs that the board acts for.
    final var purpose: Purpose? {
        get { extras?.purpose }
        set {
            guard newValue != nil || extras != nil else { return }
            let extras = needExtras()
            let earlier = extras.purpose
            extras.purpose = newValue
            drop(earlier)
        }
    }

    final func needExtras() -> Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    private final func needTies() -> LifetimeBindings {
        let extras = needExtras()
        let bindings = extras.bindings ?? LifetimeBindings()
        extras.bindings = bindings
        return bindings
    }

    final var hasExtras: Bool { extras != nil }

    final var nestedIfAny: Motherboard? { extras?.nested }

    final func nestedMotherboard() -> Motherboard {
        obeysCaller ? inside : Motherboard(endedIn: scheduler)
    }

    /// The nested motherboard of a live board, created on first use.
    final var inside: Motherboard {
        let extras = needExtras()
        if let nested = extras.nested { return nested }
        let nested = Motherboard(inside: self)
        extras.nested = nested
        nested.inheritScopes()
        return nested
    }

    final func keep(_ component: AnyObject, for lifetime: Lifetime) {
        guard obeysCaller else { return }
        needTies().keep(component, for: lifetime, on: scheduler.owner)
    }

    /// Calls `action` when the board ends or its motherboard is released, or now if the board has
    /// ended.
    final func atEnd(_ action: @escaping () -> Void) {
        if isLive { needTies().atCut(action) } else { action() }
    }

    /// Calls `action` when the board completes, however it ends, or now if the board has ended.
    ///
    /// If the motherboard is released without completing, the action is called one hop later.
    final func atEveryEnd(_ action: @escaping () -> Void) {
        if isLive { needTies().atEnd(on: scheduler.owner, action) } else { action() }
    }

    final func pair(with lifetime: Lifetime) {
        guard obeysCaller else { return }
        let paired = generation
        needTies().pair(paired, with: lifetime, on: scheduler.owner) { [weak self] in
            // A board that was activated again belongs to the later activation.
            if let self, generation == paired { complete(.cancelled) }
        }
    }

    /// Removes and returns the extras of the board.
    ///
    /// Work that still runs may hold these extras, so their purpose is cleared first.
    final func exchangeExtras() -> Extras? {
        guard extras != nil else { return nil }
        purpose = nil
        let extras = extras
        self.extras = nil
        return extras
    }

    /// Cancels the board's work and releases the components that are kept for it.
    final func cutTies(isCompleting: Bool = true) {
        guard let extras else { return }
        cancelWork()
        extras.bindings?.cut(isCompleting: isCompleting)
    }
}

extension LiveBoard {
    /// The listener that awaits the outputs of the current activation, as long as it listens.
    final var listener: Listener<Contract>? {
        get {
            guard let listener = extras?.listener else { return nil }
            return uncheckedDowncast(listener, to: Listener<Contract>.self)
        }
        set {
            guard newValue != nil || extras != nil else { return }
            let extras = needExtras()
            extras.listener = newValue
            extras.isPrivate = newValue?.isPrivate ?? false
        }
    }

    /// The input of a scope, if boards inside it are made from it.
    final var keptInput: Contract.Input? {
        extras?.keptInput.map { uncheckedDowncast($0, to: KeptInput<Contract.Input>.self).value }
    }

    // Not inlined, because few boards are scopes, and naming the generic type costs a look-up.
    @inline(never)
    final func keepInput(_ input: Contract.Input) {
        needExtras().keptInput = KeptInput(input)
    }
}

/// An input as an object.
private final class KeptInput<Input> {
    let value: Input

    init(_ value: Input) {
        self.value = value
    }
}
