/// An event of boards with one ID, with a typed value: see ``Motherboard/observe(_:_:)``.
public enum TypedBoardEvent<Contract: BoardContract> {
    /// A board was activated with an input: a new board or a live one.
    case activated(Contract.Input)
    /// A board sent an output, whether or not anything handles it.
    case sent(Contract.Output)
    /// Live boards received a command.
    case received(Contract.Command)
    /// A board ended.
    case completed(Completion)
}

extension Motherboard {
    /// Observes boards with one ID, here and on nested motherboards, with typed values.
    ///
    /// Use this for analytics. The observer is called synchronously, often during a delivery. It
    /// must not change anything. An output is observed when it is delivered, before the flows. An
    /// activation is observed when it enters the board, and not while it waits at a gate.
    ///
    /// ```swift
    /// motherboard.observe(Checkout.id) { happening in
    ///     if case .sent(.paid(let order)) = happening {
    ///         analytics.track("paid", amount: order.total)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the ID of the boards to observe.
    ///   - observer: the closure that receives the events, on the motherboard's actor. The
    ///     motherboard holds it.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func observe<Contract>(
        _ id: BoardID<Contract>,
        _ observer: @escaping (TypedBoardEvent<Contract>) -> Void
    ) -> Registration {
        checkOwner()
        guard let entry = matchingEntry(for: id) else {
            reportForeign(id)
            return Registration {}
        }
        let flow = HandlerFlow<TypedBoardEvent<Contract>> { happening, _ in observer(happening) }
        entry.addObserver(flow)
        scheduler.typedObserverCount += 1
        return Registration { [weak entry, weak flow] in
            guard let entry, let flow, !flow.isRemoved else { return }
            flow.isRemoved = true
            entry.scheduler.typedObserverCount -= 1
            entry.remove(flow)
        }
    }
}
