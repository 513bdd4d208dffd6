/// Something that happened to boards of one ID, with its value in its own type: see
/// ``Motherboard/observe(_:_:)``.
public enum TypedBoardEvent<Contract: BoardContract> {
    /// A board was activated with an input: made for it, or live already.
    case activated(Contract.Input)
    /// A board sent an output, whether anything handles it or not.
    case sent(Contract.Output)
    /// Live boards received a command.
    case received(Contract.Command)
    /// A board ended.
    case completed(Completion)
}

extension Motherboard {
    /// Lets `observer` see what boards of one ID do, here and on nested motherboards, with typed values.
    ///
    /// Made for analytics. Called synchronously, in the middle of things: look, do not interfere. An output is seen when it
    /// is delivered, before the flows. An activation is seen when the board is entered, so not while it waits at a gate.
    ///
    /// ```swift
    /// motherboard.observe(.checkout) { happening in
    ///     if case .sent(.paid(let order)) = happening { analytics.track("paid", amount: order.total) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the boards to observe.
    ///   - observer: receives what happens, on the motherboard's actor. The motherboard holds it.
    /// - Returns: a token for ``stopObserving(_:)``.
    @discardableResult
    public func observe<Contract>(
        _ id: BoardID<Contract>,
        _ observer: @escaping (TypedBoardEvent<Contract>) -> Void
    ) -> ObserverToken {
        checkOwner()
        let entry = entry(for: id)
        let flow = HandlerFlow<TypedBoardEvent<Contract>> { happening, _, _ in observer(happening) }
        entry.addObserver(flow)
        scheduler.typedObserverCount += 1
        return ObserverToken { [weak entry, weak flow] in
            guard let entry, let flow, !flow.isRemoved else { return }
            flow.isRemoved = true
            entry.scheduler.typedObserverCount -= 1
            entry.remove(flow)
        }
    }
}
