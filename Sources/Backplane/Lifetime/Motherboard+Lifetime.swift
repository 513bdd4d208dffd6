import BackplaneConcurrency

extension Motherboard {
    /// Completes this motherboard when the lifetime of `object` ends.
    ///
    /// The motherboard completes as with ``complete()``. If the object's ``Lifetime`` ends on the
    /// motherboard's actor, this happens at once. Otherwise it happens after one hop: see
    /// ``Lifetime/end()``. Neither object keeps the other alive. If the lifetime has already ended,
    /// the motherboard completes before this returns. If you pair it with several objects, it
    /// completes with the first lifetime that ends.
    ///
    /// An actor that hosts a motherboard needs this, because a task of a board keeps its actor
    /// alive. While a task runs, the actor is not released, so nothing in the actor can end the
    /// work. Pair the motherboard with the object that *uses* the actor.
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
    /// - Parameter object: the object whose lifetime counts; it is not kept alive.
    public func pair(with object: some LifetimeOwner) {
        checkOwner()
        guard !isCompleted else { return }
        let bindings = bindings ?? LifetimeBindings()
        self.bindings = bindings
        bindings.pair(0, with: object.lifetime, on: scheduler.owner) { [weak self] in self?.complete() }
    }
}
