extension Motherboard {
    /// Registers one handler for the outputs of any number of boards together.
    ///
    /// The flow keeps the last output of each board, and calls the handler once for each complete
    /// set, with one output from every board. The next set starts empty. If one of the boards fails
    /// or is cancelled, the flow discards all outputs. Use this for boards that send a result and
    /// end.
    ///
    /// With `keepingLatest: true`, it keeps an output until the board sends a newer one or ends. It
    /// calls the handler for each output, as soon as every board has sent one. Use this for boards
    /// that are live side by side.
    ///
    /// ```swift
    /// motherboard.registerCombinedFlow(Address.id, Payment.id) { motherboard, address, card in
    ///     motherboard.activate(Confirmation.id, with: Order(address, card))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - ids: the boards, each of them only once.
    ///   - keepsLatest: whether the flow keeps the outputs that the handler has received.
    ///   - next: the boards that the handler may activate or send commands to, for ``graph()``. The
    ///     handler is not checked against them.
    ///   - handler: receives this motherboard, then the outputs in the order of `ids`. The
    ///     motherboard comes first because Swift requires a parameter pack to be last.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line, which a trap names.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func registerCombinedFlow<each Contract: BoardContract, each Next: BoardContract>(
        _ ids: repeat BoardID<each Contract>,
        keepingLatest keepsLatest: Bool = false,
        leadingTo next: repeat BoardID<each Next>,
        handler: @escaping (Motherboard, repeat (each Contract).Output) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        let site = CallSite(fileID, line)
        let flow = CombinedFlow<repeat each Contract>(
            inputs: repeat CombinedInput<each Contract>(id: each ids),
            keepsLatest: keepsLatest,
            leadsTo: names(of: repeat each next, at: site),
            handler: handler
        )
        return flow.register(on: self, at: site)
    }

    /// Registers one handler for the outputs of several boards, for as long as `target` lives.
    ///
    /// The flow holds `target` weakly. After the target is released, the flow stays until one of
    /// the boards sends an output or ends. Then the flow is removed, with the outputs that it
    /// keeps. For everything else, see
    /// ``registerCombinedFlow(_:keepingLatest:leadingTo:handler:fileID:line:)``.
    @discardableResult
    public func registerCombinedFlow<each Contract: BoardContract, Target: AnyObject>(
        _ ids: repeat BoardID<each Contract>,
        keepingLatest keepsLatest: Bool = false,
        weak target: Target,
        _ handler: @escaping (Target, repeat (each Contract).Output) -> Void
    ) -> Registration {
        let flow = CombinedFlow<repeat each Contract>(
            inputs: repeat CombinedInput<each Contract>(id: each ids),
            keepsLatest: keepsLatest,
            leadsTo: [],
            isOver: { [weak target] in target == nil },
            handler: { [weak target] (_: Motherboard, outputs: repeat (each Contract).Output) in
                if let target { handler(target, repeat each outputs) }
            }
        )
        return flow.register(on: self, at: CallSite())
    }
}

/// The kept output of one board of a combined flow.
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

/// A flow that discards kept outputs when a board ends.
///
/// It does not count as a handler of the board's end.
private final class ForgettingFlow<Message>: HandlerFlow<Message> {
    override var isHeard: Bool { false }
}

/// The inputs of a combined flow.
// A class, because Swift 6.3 crashes on a local pack that a closure captures.
private final class CombinedFlow<each Contract: BoardContract> {
    private let inputs: (repeat CombinedInput<each Contract>)
    private let keepsLatest: Bool
    private let leadsTo: [AnyBoardID]
    private let isOver: () -> Bool
    private let handler: (Motherboard, repeat (each Contract).Output) -> Void
    private var parts: [Part] = []

    /// One of the flows that feed this one, which hold it.
    private struct Part {
        weak var flow: AnyFlow?
        weak var owner: (any FlowOwner)?
    }

    init(
        inputs: repeat CombinedInput<each Contract>,
        keepsLatest: Bool,
        leadsTo: [AnyBoardID],
        isOver: @escaping () -> Bool = { false },
        handler: @escaping (Motherboard, repeat (each Contract).Output) -> Void
    ) {
        self.inputs = (repeat each inputs)
        self.keepsLatest = keepsLatest
        self.leadsTo = leadsTo
        self.isOver = isOver
        self.handler = handler
    }

    func register(on motherboard: Motherboard, at site: CallSite) -> Registration {
        var entries: [(flow: AnyFlow, owner: any FlowOwner)] = []
        for input in repeat each inputs { entries += register(input, on: motherboard, at: site) }
        parts = entries.map { Part(flow: $0.flow, owner: $0.owner) }
        return Registration(entries.map { Registration(of: $0.flow, in: $0.owner) })
    }

    private func register<One>(
        _ input: CombinedInput<One>,
        on motherboard: Motherboard,
        at site: CallSite
    ) -> [(flow: AnyFlow, owner: any FlowOwner)] {
        let outputs = HandlerFlow<One.Output>(leadingTo: leadsTo, kind: .combined) { output, motherboard in
            if self.removeIfOver() { return }
            input.keep(output)
            self.fire(on: motherboard)
        }
        let completions = ForgettingFlow<EndedActivation<One>> { ended, _ in
            if self.removeIfOver() { return }
            if self.keepsLatest { input.clear() } else if !ended.completion.isDone { self.clear() }
        }
        let entry = motherboard.entry(forFlowsFrom: input.id, at: site)
        motherboard.checkOwner()
        entry.add(outputs)
        entry.addCompletion(completions)
        return [(outputs, entry), (completions, entry)]
    }

    private func fire(on motherboard: Motherboard) {
        guard let outputs = try? (repeat (each inputs).kept()) else { return }
        // Clears before the handler runs, because the handler may cause outputs of the next set.
        if !keepsLatest { clear() }
        handler(motherboard, repeat each outputs)
    }

    /// Removes the flow with its kept outputs if its target is gone; returns whether it did.
    private func removeIfOver() -> Bool {
        guard isOver() else { return false }
        let parts = parts
        self.parts = []
        for part in parts {
            guard let flow = part.flow else { continue }
            flow.isRemoved = true
            part.owner?.remove(flow)
        }
        clear()
        return true
    }

    private func clear() {
        for input in repeat each inputs { input.clear() }
    }
}
