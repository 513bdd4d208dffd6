/// Something added to a motherboard that can be removed: a flow, an observer or a contribution.
///
/// You may ignore it: what was added lives as long as its motherboard. To remove it earlier, see
/// ``Motherboard/remove(_:)``.
public struct Registration {
    let remove: () -> Void

    init(_ remove: @escaping () -> Void) {
        self.remove = remove
    }

    init(_ parts: [Registration]) {
        remove = { for part in parts { part.remove() } }
    }
}

extension Motherboard {
    /// Removes a flow, an observer or a contribution at once.
    ///
    /// If a handler is being called, this call ends normally. If the registration is already
    /// removed, nothing happens.
    ///
    /// ```swift
    /// let flow = motherboard.registerFlow(from: Login.id, to: Dashboard.id) { $0 }
    /// motherboard.remove(flow)
    /// ```
    public func remove(_ registration: Registration) {
        checkOwner()
        registration.remove()
    }
}
