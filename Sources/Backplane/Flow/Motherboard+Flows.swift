extension Motherboard {
    /// Registers a handler for the outputs of a board on this motherboard.
    ///
    /// All flows of an ID fire, in the order of registration. The list of flows is fixed when the
    /// delivery of an output begins. A flow that is removed during the delivery does not fire. You
    /// may register the board after the flow.
    ///
    /// ```swift
    /// motherboard.registerFlow(from: Home.id, leadingTo: Course.id, Composer.id) {
    ///     output, motherboard in
    ///     switch output {
    ///     case .open(let course): motherboard.activate(Course.id, with: course)
    ///     case .compose: motherboard.activate(Composer.id)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board whose outputs the handler receives.
    ///   - next: the boards that the handler may activate or send commands to, for ``graph()``. The
    ///     handler is not checked against them.
    ///   - handler: receives the output and this motherboard. The motherboard holds the handler. So
    ///     the handler must not capture the motherboard. If an object holds the motherboard, the
    ///     handler must capture that object weakly.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line, which a trap names.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func registerFlow<Contract, each Next: BoardContract>(
        from id: BoardID<Contract>,
        leadingTo next: repeat BoardID<each Next>,
        handler: @escaping (Contract.Output, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        let site = CallSite(fileID, line)
        _ = entry(for: id, at: site)
        let declared = names(of: repeat each next, at: site)
        return listen(to: id, with: HandlerFlow(leadingTo: declared, handler), at: site)
    }

    // Without it, the compiler gives no reason why a handler with one parameter does not fit.

    /// Fails to compile, with a message: a handler has two parameters.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "a handler also receives the motherboard: write `{ output, _ in … }`")
    @_disfavoredOverload
    public func registerFlow<Contract>(from id: BoardID<Contract>, _ handler: @escaping (Contract.Output) -> Void) {}

    /// Returns the IDs of boards that a handler leads to, and adds their entries.
    func names<each Next: BoardContract>(of next: repeat BoardID<each Next>, at site: CallSite) -> [AnyBoardID] {
        var names: [AnyBoardID] = []
        for one in repeat each next { names.append(entry(for: one, at: site).anyID) }
        return names
    }

    /// Registers a flow that maps the outputs of a board to inputs and activates another board.
    ///
    /// ```swift
    /// motherboard.registerFlow(from: Cart.id, to: Checkout.id) { output in
    ///     if case .buy(let items) = output { CheckoutInput(items) } else { nil }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board whose outputs are mapped.
    ///   - next: the board that is activated.
    ///   - input: returns the input for `next`, or `nil` to activate nothing.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line, which a trap names.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func registerFlow<Contract, Next>(
        from id: BoardID<Contract>,
        to next: BoardID<Next>,
        _ input: @escaping (Contract.Output) -> Next.Input?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        let site = CallSite(fileID, line)
        return listen(to: id, with: MappingFlow(to: entry(for: next, at: site), input), at: site)
    }

    /// Registers a handler that lives as long as `target`.
    ///
    /// The flow holds `target` weakly and passes it to the handler. The handler is called on the
    /// motherboard's actor. If that is an actor of your own and `target` is that actor, reach its
    /// state with `target.assumeIsolated { $0.show(output) }`.
    @discardableResult
    public func registerFlow<Contract, Target: AnyObject>(
        from id: BoardID<Contract>,
        weak target: Target,
        _ handler: @escaping (Target, Contract.Output) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        listen(to: id, with: WeakFlow(target: target, handler), at: CallSite(fileID, line))
    }

    /// Registers a handler for the completions of a board on this motherboard.
    ///
    /// The handler receives ``Completion/done``, ``Completion/cancelled`` or
    /// ``Completion/failed(_:)``.
    @discardableResult
    public func registerCompletionFlow<Contract>(
        _ id: BoardID<Contract>,
        _ handler: @escaping (Completion, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        listen(toEndsOf: id, at: CallSite(fileID, line)) { ended, motherboard in
            handler(ended.completion, motherboard)
        }
    }

    /// Registers a handler that receives each completion of a board with the activation that ended.
    ///
    /// ```swift
    /// let course = motherboard.activate(Course.id, with: "abc123")
    /// motherboard.registerCompletionFlow(Course.id) { completion, activation, motherboard in
    ///     if activation == course { … }
    /// }
    /// ```
    ///
    /// The activation is the last activation of the board that ended: see ``Activation/==(_:_:)``.
    @discardableResult
    public func registerCompletionFlow<Contract>(
        _ id: BoardID<Contract>,
        _ handler: @escaping (Completion, Activation<Contract>, Motherboard) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        listen(toEndsOf: id, at: CallSite(fileID, line)) { ended, motherboard in
            handler(ended.completion, ended.activation, motherboard)
        }
    }

    /// Registers a handler for the completions of a board, for as long as `target` lives.
    ///
    /// The flow holds `target` weakly and passes it to the handler.
    @discardableResult
    public func registerCompletionFlow<Contract, Target: AnyObject>(
        _ id: BoardID<Contract>,
        weak target: Target,
        _ handler: @escaping (Target, Completion) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        checkOwner()
        let entry = entry(forFlowsFrom: id, at: CallSite(fileID, line))
        let flow = WeakFlow<EndedActivation<Contract>, Target>(target: target) { target, ended in
            handler(target, ended.completion)
        }
        entry.addCompletion(flow)
        return Registration(of: flow, in: entry)
    }

    private func listen<Contract>(
        toEndsOf id: BoardID<Contract>,
        at site: CallSite,
        _ handler: @escaping (EndedActivation<Contract>, Motherboard) -> Void
    ) -> Registration {
        checkOwner()
        let entry = entry(forFlowsFrom: id, at: site)
        let flow = HandlerFlow<EndedActivation<Contract>>(handler)
        entry.addCompletion(flow)
        return Registration(of: flow, in: entry)
    }

    /// Registers a chain in which the output of each board activates the next board.
    ///
    /// ```swift
    /// motherboard.registerFlowSteps(Login.id ->>> Dashboard.id)
    /// ```
    @discardableResult
    public func registerFlowSteps<Last>(
        _ steps: FlowSteps<Last>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Registration {
        let site = CallSite(fileID, line)
        return Registration(steps.draw.map { draw in draw(self, site) })
    }

    /// Returns the entry on which to register a flow; traps if the flow could never fire.
    func entry<Contract>(forFlowsFrom id: BoardID<Contract>, at site: CallSite) -> BoardEntry<Contract> {
        let entry = entry(for: id, at: site)
        guard parentEntry != nil else { return entry }
        // Boards in scopes inside this one look for flows again.
        level.registryChanged()
        if let scope = entry.route as? OutwardRoute {
            site.fail(
                "A flow from the scope '\(id)'\(location) would never fire, because the scope's board belongs to an outer "
                    + "motherboard. Register the flow on the motherboard that registers the scope\(scope.location)."
            )
        }
        return entry
    }

    // Makes the flow after its sender's entry, because a graph lists the boards in this order.
    func listen<Contract>(
        to id: BoardID<Contract>,
        with makeFlow: @autoclosure () -> Flow<Contract.Output>,
        at site: CallSite
    ) -> Registration {
        checkOwner()
        let entry = entry(forFlowsFrom: id, at: site)
        let flow = makeFlow()
        entry.add(flow)
        return Registration(of: flow, in: entry)
    }
}
