/// A handle to a flow, an observer or a contribution that was added to a motherboard.
///
/// You may ignore this value. A flow, an observer or a contribution lives as long as its
/// motherboard. To remove it earlier, call ``Motherboard/remove(_:)``.
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
