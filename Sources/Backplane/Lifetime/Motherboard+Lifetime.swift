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
    /// Pair a motherboard with the object that uses it. In an app, this is the object of a window.
    /// Then the motherboard ends with its window, even if something else still holds it, for
    /// example a closure of a screen:
    ///
    /// ```swift
    /// @MainActor final class AppWindow: LifetimeOwner {
    ///     let lifetime = Lifetime()
    ///     let motherboard = Motherboard.onMain()
    ///
    ///     init() {
    ///         motherboard.pair(with: self)
    ///         motherboard.install(AppModule())
    ///     }
    /// }
    /// ```
    ///
    /// The properties of an object are released in their order, so declare the lifetime first. If
    /// the last reference to the motherboard is released before it could complete, its boards are
    /// released, and no handler runs. This also happens if the completion needs a hop, and nothing
    /// else holds the motherboard.
    ///
    /// On an actor of your own, pair the motherboard with the object that *uses* the actor, such as
    /// a connection. A task of a board keeps its actor alive, so nothing in the actor can end the
    /// work: see <doc:OnYourOwnActor>.
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
