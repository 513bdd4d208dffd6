extension Motherboard {
    /// Registers a handler for the outputs of a board on this motherboard.
    ///
    /// All flows of an identity fire, in the order of registration; which ones is fixed when the delivery of an output
    /// begins, and one removed meanwhile does not fire. The board need not be registered yet.
    ///
    /// - Parameters:
    ///   - id: the board whose outputs are handled.
    ///   - handler: is given the output and this motherboard. The motherboard holds it, so it must capture neither the
    ///     motherboard nor, strongly, an object that holds it.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Returns: a token for ``removeFlow(_:)``.
    @discardableResult
    public func registerFlow<Contract>(
        from id: BoardID<Contract>,
        _ handler: @escaping (Contract.Output, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        let flow = HandlerFlow<Contract.Output> { output, _, motherboard in handler(output, motherboard) }
        return listen(to: id, with: flow, at: CallSite(fileID, line))
    }

    /// Registers a handler for the outputs of a board, and says which boards it activates or commands, for ``graph()``.
    ///
    /// Otherwise see ``registerFlow(from:_:fileID:line:)``.
    ///
    /// ```swift
    /// motherboard.registerFlow(from: .dashboard, leadingTo: .course, .composer) { output, motherboard in
    ///     switch output {
    ///     case .open(let course): motherboard.activate(.course, with: course)
    ///     case .compose: motherboard.activate(.composer)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board whose outputs are handled.
    ///   - next: a board that the handler may lead to. Only declared: what it does is not checked against it.
    ///   - others: more of them.
    ///   - handler: is given the output and this motherboard.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Returns: a token for ``removeFlow(_:)``.
    @discardableResult
    public func registerFlow<Contract, Next, each Other>(
        from id: BoardID<Contract>,
        leadingTo next: BoardID<Next>,
        _ others: repeat BoardID<each Other>,
        handler: @escaping (Contract.Output, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        let site = CallSite(fileID, line)
        _ = entry(for: id, at: site)
        var declared = [entry(for: next, at: site).anyID]
        for other in repeat each others { declared.append(entry(for: other, at: site).anyID) }
        return listen(
            to: id,
            with: DeclaredFlow(leadingTo: declared) { output, _, motherboard in handler(output, motherboard) },
            at: site
        )
    }

    /// Lets the outputs of a board activate another with what `input` makes of them; nil activates nothing.
    ///
    /// ```swift
    /// motherboard.registerFlow(from: .cart, to: .checkout) { output in
    ///     if case .buy(let items) = output { CheckoutInput(items) } else { nil }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board whose outputs are mapped.
    ///   - next: the board that is activated.
    ///   - input: makes the input for `next`.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Returns: a token for ``removeFlow(_:)``.
    @discardableResult
    public func registerFlow<Contract, Next>(
        from id: BoardID<Contract>,
        to next: BoardID<Next>,
        _ input: @escaping (Contract.Output) -> Next.Input?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        let site = CallSite(fileID, line)
        return listen(to: id, with: MappingFlow(to: entry(for: next, at: site), input), at: site)
    }

    // Two and three boards are spelled out because Swift cannot yet say "all with this Output" of a parameter pack.

    /// Registers one handler for the outputs of two boards that send the same type; it is told which board sent.
    @discardableResult
    public func registerFlow<First, Second>(
        from first: BoardID<First>,
        _ second: BoardID<Second>,
        _ handler: @escaping (First.Output, AnyBoardID, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken where First.Output == Second.Output {
        let flow = HandlerFlow(handler)
        let site = CallSite(fileID, line)
        let entries = listen(to: first, with: flow, at: site).entries
        return FlowToken(entries: entries + listen(to: second, with: flow, at: site).entries)
    }

    /// Registers one handler for the outputs of three boards that send the same type; it is told which board sent.
    @discardableResult
    public func registerFlow<First, Second, Third>(
        from first: BoardID<First>,
        _ second: BoardID<Second>,
        _ third: BoardID<Third>,
        _ handler: @escaping (First.Output, AnyBoardID, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken where First.Output == Second.Output, Second.Output == Third.Output {
        let flow = HandlerFlow(handler)
        let site = CallSite(fileID, line)
        var entries = listen(to: first, with: flow, at: site).entries
        entries += listen(to: second, with: flow, at: site).entries
        return FlowToken(entries: entries + listen(to: third, with: flow, at: site).entries)
    }

    /// Registers a handler that lives as long as `target`, which is held weakly and given to it.
    ///
    /// On an actor of your own, where `target` may be that actor, its state is reached by
    /// `target.assumeIsolated { $0.show(output) }`: handlers are called on it.
    @discardableResult
    public func registerFlow<Contract, Target: AnyObject>(
        from id: BoardID<Contract>,
        weak target: Target,
        _ handler: @escaping (Target, Contract.Output) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        listen(to: id, with: WeakFlow(target: target, handler), at: CallSite(fileID, line))
    }

    /// Registers a handler for the completions of a board on this motherboard: ``Completion/done``, ``Completion/cancelled`` or
    /// ``Completion/failed(_:)``.
    @discardableResult
    public func registerCompletionFlow<Contract>(
        _ id: BoardID<Contract>,
        _ handler: @escaping (Completion, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        listen(toEndsOf: id, at: CallSite(fileID, line)) { ended, _, motherboard in
            handler(ended.completion, motherboard)
        }
    }

    /// Registers a handler for the completions of a board that is told which activation ended.
    ///
    /// ```swift
    /// let course = motherboard.activate(.course, with: "abc123")
    /// motherboard.registerCompletionFlow(.course) { completion, activation, motherboard in
    ///     if activation == course { … }
    /// }
    /// ```
    ///
    /// The activation is the last one of the board that ended: see ``Activation/==(_:_:)``.
    @discardableResult
    public func registerCompletionFlow<Contract>(
        _ id: BoardID<Contract>,
        _ handler: @escaping (Completion, Activation<Contract>, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        listen(toEndsOf: id, at: CallSite(fileID, line)) { ended, _, motherboard in
            handler(ended.completion, ended.activation, motherboard)
        }
    }

    /// Registers a handler for the completions of a board that lives as long as `target`, which is held weakly and passed to it.
    @discardableResult
    public func registerCompletionFlow<Contract, Target: AnyObject>(
        _ id: BoardID<Contract>,
        weak target: Target,
        _ handler: @escaping (Target, Completion) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        checkOwner()
        let entry = entry(for: id, at: CallSite(fileID, line))
        let flow = WeakFlow<EndedActivation<Contract>, Target>(target: target) { target, ended in
            handler(target, ended.completion)
        }
        entry.addCompletion(flow)
        return FlowToken(entries: [(flow, entry)])
    }

    private func listen<Contract>(
        toEndsOf id: BoardID<Contract>,
        at site: CallSite,
        _ handler: @escaping (EndedActivation<Contract>, AnyBoardID, Motherboard) -> Void
    ) -> FlowToken {
        checkOwner()
        let entry = entry(for: id, at: site)
        let flow = HandlerFlow<EndedActivation<Contract>>(handler)
        entry.addCompletion(flow)
        return FlowToken(entries: [(flow, entry)])
    }

    /// Draws a chain: the output of each board activates the next.
    ///
    /// ```swift
    /// motherboard.registerFlowSteps(.login ->>> .dashboard)
    /// ```
    @discardableResult
    public func registerFlowSteps<Last>(
        _ steps: FlowSteps<Last>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowToken {
        let site = CallSite(fileID, line)
        return FlowToken(entries: steps.draw.flatMap { draw in draw(self, site).entries })
    }

    /// Removes a flow at once; one in the middle of firing ends normally.
    ///
    /// Does nothing when it is removed already.
    public func removeFlow(_ token: FlowToken) {
        checkOwner()
        token.remove()
    }

    // The flow is made after the entry of the board it is from, so that a graph has the two in this order.
    func listen<Contract>(
        to id: BoardID<Contract>,
        with makeFlow: @autoclosure () -> Flow<Contract.Output>,
        at site: CallSite
    ) -> FlowToken {
        checkOwner()
        let entry = entry(for: id, at: site)
        let flow = makeFlow()
        entry.add(flow)
        return FlowToken(entries: [(flow, entry)])
    }
}
