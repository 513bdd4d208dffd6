public import Backplane

extension Slot {
    /// Pairs the board with the place of its screen, so that each ends with the other.
    ///
    /// If the place leaves first, this activation ends as cancelled, as with any other object. If
    /// the board ends first, the place leaves before `didEnd` is called. This is also true if the
    /// board ends because another place is leaving. If the board has already ended, or if
    /// superseded work makes this call, the place leaves at once. If the motherboard is released
    /// without completing, the place leaves one hop later.
    ///
    /// A board that is activated again may pair with another place. Each of its places leaves at
    /// the end of the board.
    ///
    /// **Isolation.** Call this on the owner of the motherboard and the navigator.
    ///
    /// - Parameter place: the place, on the actor of the board.
    public func pair<Screen>(with place: Place<Screen>) {
        // Weak, because a board that is activated often must not keep screens that have left.
        pair(with: place.lifetime) { [weak place] in place?.leave() }
    }
}

extension Board {
    /// Pairs the board with the place of its screen, so that each ends with the other: see
    /// `Slot.pair(with:)`.
    ///
    /// ```swift
    /// func activate(with id: Course.ID) {
    ///     pair(with: navigator.push(.course(id)))
    /// }
    /// ```
    ///
    /// - Parameter place: the place, on the actor of the board.
    public func pair<Screen>(with place: Place<Screen>) {
        slot.pair(with: place)
    }
}
