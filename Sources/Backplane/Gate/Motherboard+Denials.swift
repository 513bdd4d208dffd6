extension Motherboard {
    /// Registers a handler for denials of activations, here and on nested motherboards without such a handler.
    ///
    /// The handler is called in order with outputs and completions, after the activation has been denied. It receives
    /// denials of deep links, too, so that a window that was to show one need not stay empty. It does not receive denials
    /// that ``result(of:with:taking:isolation:)`` throws, nor those of a motherboard that has ended.
    ///
    /// ```swift
    /// motherboard.registerDenialFlow { denial, motherboard in
    ///     motherboard.activate(.notice, with: "\(denial.board) needs \(denial.gate)")
    /// }
    /// ```
    ///
    /// - Parameter handler: receives the denial and this motherboard. The motherboard holds it, so it must capture neither
    ///   the motherboard nor, strongly, an object that holds the motherboard.
    /// - Returns: a token for ``removeFlow(_:)``.
    @discardableResult
    public func registerDenialFlow(_ handler: @escaping (Denial, Motherboard) -> Void) -> FlowToken {
        register(DenialFlow(handler))
    }

    /// Registers a handler of denials that lives as long as `target`, which is held weakly and passed to it.
    ///
    /// Otherwise see ``registerDenialFlow(_:)``.
    @discardableResult
    public func registerDenialFlow<Target: AnyObject>(
        weak target: Target,
        _ handler: @escaping (Target, Denial) -> Void
    ) -> FlowToken {
        register(
            DenialFlow(isOver: { [weak target] in target == nil }) { [weak target] denial, _ in
                if let target { handler(target, denial) }
            }
        )
    }

    private func register(_ flow: DenialFlow) -> FlowToken {
        checkOwner()
        add(flow)
        return FlowToken(entries: [(flow, DenialFlows(of: self))])
    }
}

/// A handler of denials.
final class DenialFlow: AnyFlow {
    let handle: (Denial, Motherboard) -> Void
    /// Returns whether its target has gone.
    let isOver: () -> Bool

    init(isOver: @escaping () -> Bool = { false }, _ handle: @escaping (Denial, Motherboard) -> Void) {
        self.isOver = isOver
        self.handle = handle
    }
}

/// A weak reference to the motherboard that a denial flow is registered on.
private final class DenialFlows: FlowHost {
    private weak var motherboard: Motherboard?

    init(of motherboard: Motherboard) {
        self.motherboard = motherboard
    }

    func remove(_ flow: AnyFlow) { motherboard?.remove(flow) }
}

/// A queued denial, for the handlers that are in force when it is delivered.
final class PendingDenial: Delivery {
    private let denial: Denial
    private let motherboard: Motherboard

    init(_ denial: Denial, on motherboard: Motherboard) {
        self.denial = denial
        self.motherboard = motherboard
    }

    override var sender: AnyBoardID? { denial.gate }

    override func deliver() {
        guard let (flows, motherboard) = motherboard.denialFlowsInForce else { return }
        motherboard.scheduler.handleFlow {
            for flow in flows where !flow.isRemoved { flow.handle(denial, motherboard) }
        }
    }

    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        motherboard.raise(kind, board: denial.gate, message)
    }
}
