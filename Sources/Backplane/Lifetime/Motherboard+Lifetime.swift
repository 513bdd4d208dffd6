import BackplaneConcurrency

extension Motherboard {
    /// Completes this motherboard when `object` goes.
    ///
    /// The motherboard completes as with ``complete()`` when the object's ``Lifetime`` ends: at
    /// once if that happens on the motherboard's actor, otherwise after one hop, see
    /// ``Lifetime/end()``. Neither keeps the other alive. A lifetime that has ended completes it
    /// before this returns. Paired with several objects, it completes with the first that goes.
    ///
    /// An actor that hosts a motherboard needs this, because a task of a board keeps its actor
    /// alive: while one runs, the actor does not go, so that nothing in it can end the work. Pair
    /// the motherboard with what *uses* the actor.
    ///
    /// ```swift
    /// actor Session {
    ///     private lazy var motherboard = Motherboard(owner: self)
    ///
    ///     func begin(for client: Client) {
    ///         motherboard.pair(with: client)
    ///         motherboard.install(SessionModule())
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter object: whose lifetime counts; it is not kept alive.
    public func pair(with object: some LifetimeOwner) {
        checkOwner()
        guard !isCompleted else { return }
        let bindings = bindings ?? LifetimeBindings()
        self.bindings = bindings
        bindings.pair(0, with: object.lifetime, on: scheduler.owner) { [weak self] in self?.complete() }
    }
}
