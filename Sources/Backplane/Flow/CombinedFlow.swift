/// When a flow that combines the outputs of several boards fires: see
/// ``Motherboard/registerCombinedFlow(_:strategy:_:fileID:line:)``.
public enum CombineStrategy: Hashable, Sendable {
    /// Once each board has sent something; then all starts anew. Made for boards that answer and end.
    case batch
    /// Each time one of them sends something, once all have. Made for boards that live beside each other.
    case latest
}

extension Motherboard {
    /// Registers a handler of the outputs of several boards together, for any number of them.
    ///
    /// The last output of each board is kept until the handler has received it, or with ``CombineStrategy/latest`` until a
    /// newer one. With ``CombineStrategy/batch`` all outputs are forgotten when one of the boards ends as anything but
    /// ``Completion/done``. With `latest` the output of a board is forgotten when that board ends, since it no longer holds.
    ///
    /// ```swift
    /// motherboard.registerCombinedFlow(.address, .payment) { motherboard, address, card in
    ///     motherboard.activate(.confirmation, with: Order(address, card))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - ids: the boards, each one once.
    ///   - strategy: when the handler is called.
    ///   - handler: is given this motherboard, first because Swift wants packs last, and the outputs in the order of `ids`. With
    ///     its parameters in another order the compiler complains about a `CombineStrategy`.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Returns: a token for ``removeFlow(_:)``.
    @discardableResult
    public func registerCombinedFlow<each Contract: BoardContract>(
        _ ids: repeat BoardID<each Contract>,
        strategy: CombineStrategy = .batch,
        _ handler: @escaping (Motherboard, repeat (each Contract).Output) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        let flow = CombinedFlow<repeat each Contract>(
            inputs: repeat CombinedInput<each Contract>(id: each ids),
            strategy: strategy,
            leadsTo: [],
            handler: handler
        )
        return FlowToken(entries: flow.register(on: self, at: CallSite(fileID, line)))
    }

    /// Registers a handler of the outputs of several boards together that lives as long as `target`, which is held weakly.
    ///
    /// Otherwise see ``registerCombinedFlow(_:strategy:_:fileID:line:)``.
    @discardableResult
    public func registerCombinedFlow<each Contract: BoardContract, Target: AnyObject>(
        _ ids: repeat BoardID<each Contract>,
        strategy: CombineStrategy = .batch,
        weak target: Target,
        _ handler: @escaping (Target, repeat (each Contract).Output) -> Void
    ) -> FlowToken {
        registerCombinedFlow(repeat each ids, strategy: strategy) {
            [weak target] (_: Motherboard, outputs: repeat (each Contract).Output) in
            if let target { handler(target, repeat each outputs) }
        }
    }

    /// Registers a handler of the outputs of several boards together, and says which boards it activates or commands, for
    /// ``graph()``.
    ///
    /// Otherwise see ``registerCombinedFlow(_:strategy:_:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - ids: the boards, each one once.
    ///   - strategy: when the handler is called.
    ///   - next: a board that the handler may lead to. Only declared: what it does is not checked against it.
    ///   - others: more of them.
    ///   - handler: is given this motherboard, and the outputs in the order of `ids`.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Returns: a token for ``removeFlow(_:)``.
    @discardableResult
    public func registerCombinedFlow<each Contract: BoardContract, Next, each Other: BoardContract>(
        _ ids: repeat BoardID<each Contract>,
        strategy: CombineStrategy = .batch,
        leadingTo next: BoardID<Next>,
        _ others: repeat BoardID<each Other>,
        handler: @escaping (Motherboard, repeat (each Contract).Output) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        let site = CallSite(fileID, line)
        var declared = [entry(for: next, at: site).anyID]
        for other in repeat each others { declared.append(entry(for: other, at: site).anyID) }
        let flow = CombinedFlow<repeat each Contract>(
            inputs: repeat CombinedInput<each Contract>(id: each ids),
            strategy: strategy,
            leadsTo: declared,
            handler: handler
        )
        return FlowToken(entries: flow.register(on: self, at: site))
    }
}

/// What a combined flow keeps of one of its boards.
private final class CombinedInput<Contract: BoardContract> {
    struct Missing: Error {}

    let id: BoardID<Contract>
    private var output: Contract.Output?

    init(id: BoardID<Contract>) {
        self.id = id
    }

    func keep(_ output: Contract.Output) { replace(with: output) }
    func clear() { replace(with: nil) }

    private func replace(with output: Contract.Output?) {
        let earlier = self.output
        self.output = output
        drop(earlier)
    }

    func kept() throws -> Contract.Output {
        guard let output else { throw Missing() }
        return output
    }
}

/// A flow that forgets what a board has sent when that board ends, which handles no end.
private final class ForgettingFlow<Message>: HandlerFlow<Message> {
    override var isHeard: Bool { false }
}

/// The inputs of a combined flow.
// A class, because Swift 6.3 crashes on a local pack that a closure captures.
private final class CombinedFlow<each Contract: BoardContract> {
    private let inputs: (repeat CombinedInput<each Contract>)
    private let strategy: CombineStrategy
    private let leadsTo: [AnyBoardID]
    private let handler: (Motherboard, repeat (each Contract).Output) -> Void

    init(
        inputs: repeat CombinedInput<each Contract>,
        strategy: CombineStrategy,
        leadsTo: [AnyBoardID],
        handler: @escaping (Motherboard, repeat (each Contract).Output) -> Void
    ) {
        self.inputs = (repeat each inputs)
        self.strategy = strategy
        self.leadsTo = leadsTo
        self.handler = handler
    }

    func register(on motherboard: Motherboard, at site: CallSite) -> [(flow: AnyFlow, host: any FlowHost)] {
        var entries: [(flow: AnyFlow, host: any FlowHost)] = []
        for input in repeat each inputs { entries += register(input, on: motherboard, at: site) }
        return entries
    }

    private func register<One>(
        _ input: CombinedInput<One>,
        on motherboard: Motherboard,
        at site: CallSite
    ) -> [(flow: AnyFlow, host: any FlowHost)] {
        let outputs = DeclaredFlow<One.Output>(leadingTo: leadsTo, kind: .combined) { output, _, motherboard in
            input.keep(output)
            self.fire(on: motherboard)
        }
        let completions = ForgettingFlow<EndedActivation<One>> { ended, _, _ in
            switch self.strategy {
            case .latest: input.clear()
            case .batch: if !ended.completion.isDone { self.clear() }
            }
        }
        let entry = motherboard.entry(for: input.id, at: site)
        motherboard.checkOwner()
        entry.add(outputs)
        entry.addCompletion(completions)
        return [(outputs, entry), (completions, entry)]
    }

    private func fire(on motherboard: Motherboard) {
        guard let outputs = try? (repeat (each inputs).kept()) else { return }
        // Before the handler, which may cause what belongs to the next set.
        if strategy == .batch { clear() }
        handler(motherboard, repeat each outputs)
    }

    private func clear() {
        for input in repeat each inputs { input.clear() }
    }
}
