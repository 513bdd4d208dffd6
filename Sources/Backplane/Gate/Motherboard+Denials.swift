extension Motherboard {
    /// Registers a handler for denials, here and on nested motherboards without such a handler.
    ///
    /// The handler is called after an activation on this motherboard was denied, also if the board
    /// is inside a scope. Denials are delivered in one order with outputs and completions. The
    /// handler also receives denials of deep links, so you can show a notice instead of an empty
    /// window. It does not receive denials that ``result(of:with:takingLast:isolation:)`` throws.
    /// It does not receive denials that occur because the motherboard ends.
    ///
    /// ```swift
    /// motherboard.registerDenialFlow { denial, motherboard in
    ///     motherboard.activate(Notice.id, with: "\(denial.board) needs \(denial.gate)")
    /// }
    /// ```
    ///
    /// - Parameter handler: receives the denial and this motherboard. The motherboard holds the
    ///   handler. So the handler must not capture the motherboard. If an object holds the
    ///   motherboard, the handler must capture that object weakly.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func registerDenialFlow(_ handler: @escaping (Denial, Motherboard) -> Void) -> Registration {
        register(DenialFlow(handler))
    }

    /// Registers a handler for denials, for as long as `target` lives.
    ///
    /// The flow holds `target` weakly and passes it to the handler. For everything else, see
    /// ``registerDenialFlow(_:)``.
    @discardableResult
    public func registerDenialFlow<Target: AnyObject>(
        weak target: Target,
        _ handler: @escaping (Target, Denial) -> Void
    ) -> Registration {
        register(
            DenialFlow(isOver: { [weak target] in target == nil }) { [weak target] denial, _ in
                if let target { handler(target, denial) }
            }
        )
    }

    private func register(_ flow: DenialFlow) -> Registration {
        checkOwner()
        denialFlows = denialFlows + [flow]
        return Registration { [weak self] in
            flow.isRemoved = true
            self?.remove(flow)
        }
    }
}

/// A handler for denials.
final class DenialFlow: AnyFlow {
    let handle: (Denial, Motherboard) -> Void
    /// Returns whether the target has been released.
    let isOver: () -> Bool

    init(isOver: @escaping () -> Bool = { false }, _ handle: @escaping (Denial, Motherboard) -> Void) {
        self.isOver = isOver
        self.handle = handle
    }
}

/// A queued denial, delivered to the handlers that are in force at that time.
final class PendingDenial: Delivery {
    private let denial: Denial
    private let motherboard: Motherboard
    /// Whether a caller of `settled()` receives the denial.
    private let isAwaited: Bool

    init(_ denial: Denial, on motherboard: Motherboard, isAwaited: Bool) {
        self.denial = denial
        self.motherboard = motherboard
        self.isAwaited = isAwaited
    }

    override var sender: AnyBoardID? { denial.gate }

    override func deliver() {
        guard let (flows, motherboard) = motherboard.denialFlowsInForce else {
            if !isAwaited { motherboard.printUnheard(denial) }
            return
        }
        motherboard.scheduler.handleFlow {
            for flow in flows where !flow.isRemoved { flow.handle(denial, motherboard) }
        }
    }

    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        motherboard.raise(kind, board: denial.gate, isProblem: true, message)
    }
}

extension Motherboard {
    /// Prints a denial that nothing hears, unless it is the user's own decision.
    ///
    /// Observers have received its event already.
    fileprivate func printUnheard(_ denial: Denial) {
        guard scheduler.printsProblems, scheduler.observerCount == 0, !denial.reason.isUsersDecision else { return }
        raise(.gateDenied, board: denial.board, gate: denial.gate, isProblem: true) {
            "\(denial) Nothing handled the denial: register a denial flow, or await settled() of the activation."
        }
    }

    fileprivate func remove(_ flow: AnyFlow) {
        let earlier = denialFlows
        denialFlows = denialFlows.filter { $0 !== flow }
        drop(earlier)
    }

    /// The denial handlers in force here, which belong to the nearest motherboard that has any.
    var denialFlowsInForce: (flows: [DenialFlow], motherboard: Motherboard)? {
        var level: Motherboard? = self
        while let motherboard = level {
            for flow in motherboard.denialFlows where flow.isOver() { motherboard.remove(flow) }
            if !motherboard.denialFlows.isEmpty { return (motherboard.denialFlows, motherboard) }
            level = motherboard.parent
        }
        return nil
    }
}
