extension Motherboard {
    /// Makes a board a scope: what is on its nested motherboard exists only while the board is live, and is entered through another board.
    ///
    /// Register the scope's own board as any other. It is activated once, with what the entrance's board has sent, so it and all
    /// that it installs on its ``Slot/inner`` motherboard hold that as a constant:
    ///
    /// ```swift
    /// motherboard.register(.session) { slot, account in SessionBoard(slot: slot, account: account) }
    /// motherboard.registerScope(.session, enteredBy: .login) { output in
    ///     if case .signedIn(let account) = output { account } else { nil }
    /// }
    /// motherboard.declare(.dashboard, .course, inside: .session)
    /// motherboard.activate(.course, with: "abc123")
    /// ```
    ///
    /// **Entering.** An activation of a board inside a scope that is not live waits while the entrance's board is asked. Those
    /// that wait share the question, keep their order and their inputs, and go on inside the scope when its board has been
    /// activated. An output of the entrance's board enters the scope also if nobody waits. If the scope is live already, that
    /// output is dropped with ``BoardEvent/Kind/droppedEntrance``, unless the scope is `switching`.
    ///
    /// **Inside another scope.** A scope that is placed in another one with ``declare(_:_:inside:fileID:line:)`` may be registered on
    /// the same motherboard as that one. It then counts inside, where its board is, and its entrance too.
    ///
    /// **Denial.** If the entrance's board ends without an answer, or a gate in front of the scope denies it, what waits is
    /// ``ActivationState/denied(_:)``. If the scope's board ends while it is being entered, too.
    ///
    /// **One at a time.** The board belongs to this motherboard, also if it is activated on a nested one, and there is one of it:
    /// activating the scope while it is live first ends the live one as ``Completion/cancelled``, with everything inside it.
    ///
    /// - Parameters:
    ///   - id: the scope's board.
    ///   - entrance: the board that is asked.
    ///   - question: the input with which it is asked.
    ///   - replacing: whether this replaces the scope's entrance; registering a scope twice traps otherwise.
    ///   - switching: whether an output of the entrance's board while the scope is live ends the live one and enters a new one:
    ///     for a picker of accounts or organizations. Such an output is dropped otherwise.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - input: returns the scope's input for an output of the entrance's board; nil of an output that lets nobody in.
    public func registerScope<Scope, EntranceContract>(
        _ id: BoardID<Scope>,
        enteredBy entrance: BoardID<EntranceContract>,
        with question: EntranceContract.Input,
        replacing: Bool = false,
        switching: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        input: @escaping (EntranceContract.Output) -> Scope.Input?
    ) {
        let site = CallSite(fileID, line)
        registerScope(
            id,
            enteredBy: entrance,
            with: question,
            replacing,
            switching,
            isInherited: false,
            at: site,
            input
        )
    }

    private func registerScope<Scope, EntranceContract>(
        _ id: BoardID<Scope>,
        enteredBy entrance: BoardID<EntranceContract>,
        with question: EntranceContract.Input,
        _ replacing: Bool,
        _ switching: Bool,
        isInherited: Bool,
        at site: CallSite,
        _ input: @escaping (EntranceContract.Output) -> Scope.Input?
    ) {
        checkOwner()
        let (scope, gateBoard) = (entry(for: id, at: site), entry(for: entrance, at: site))
        site.require(
            scope !== gateBoard,
            "The scope '\(id)' cannot be its own entrance; name the board that lets users in."
        )
        site.require(
            !scope.isScope || replacing || scope.extras?.entrance?.isInherited ?? false,
            "The scope '\(id)' is registered already; remove one of the two calls, or pass `replacing: true` where that is meant."
        )
        let rule = Entrance(into: scope, by: gateBoard, asking: question, isSwitching: switching, input)
        let flow = EntranceFlow(rule, to: scope.anyID)
        let entry = BoardEntry<Scope>.ScopeEntrance(
            rule: rule,
            flow: FlowToken(entries: [(flow, gateBoard)]),
            declare: { inner in
                inner.registerScope(
                    id,
                    enteredBy: entrance,
                    with: question,
                    false,
                    switching,
                    isInherited: true,
                    at: site,
                    input
                )
            },
            isInherited: isInherited
        )
        scope.setEntrance(entry)
        gateBoard.add(flow)
    }

    /// Registers here the scopes that were registered around and are inside of the board that this motherboard is inside of.
    func inheritScopes() {
        var level = parent
        while let motherboard = level {
            for scope in motherboard.scopes where scope.ownRoute?.leads(to: self) ?? false {
                scope.declareScope(on: self)
            }
            level = motherboard.parent
        }
    }

    /// Makes a board a scope whose entrance needs no input: see
    /// ``registerScope(_:enteredBy:with:replacing:switching:fileID:line:input:)``.
    public func registerScope<Scope, EntranceContract>(
        _ id: BoardID<Scope>,
        enteredBy entrance: BoardID<EntranceContract>,
        replacing: Bool = false,
        switching: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        input: @escaping (EntranceContract.Output) -> Scope.Input?
    ) where EntranceContract.Input == Void {
        registerScope(
            id,
            enteredBy: entrance,
            with: (),
            replacing: replacing,
            switching: switching,
            fileID: fileID,
            line: line,
            input: input
        )
    }

    /// Says that boards are inside a scope: activated here, they are activated on the nested motherboard of the scope's board.
    ///
    /// So links, flows and other boards name such a board by its ID alone, and do not know that it is in a scope. How the
    /// boards are made is registered inside, by the scope's board, where there is what they need:
    ///
    /// ```swift
    /// motherboard.declare(.dashboard, .course, inside: .session)
    /// motherboard.registerLink("course/{id}", to: .course)
    ///
    /// final class SessionBoard: Board {
    ///     let slot: Slot<Session>
    ///
    ///     init(slot: Slot<Session>, account: Account) {
    ///         self.slot = slot
    ///         inner.install(DashboardModule(account: account), CourseModule(account: account))
    ///     }
    ///
    ///     func activate(with account: Account) {}
    /// }
    /// ```
    ///
    /// While the scope is not live, an activation has it entered first: see
    /// ``registerScope(_:enteredBy:with:replacing:switching:fileID:line:input:)``. A scope may be inside another. Gates in front of a
    /// board inside are asked after the scope has been entered. Commands, ``isLive(_:)``, ``liveCount(of:)`` and
    /// ``complete(_:_:)`` reach the board inside while the scope is live. Its outputs reach flows inside only.
    ///
    /// An activation is denied as ``Denial/Reason/notInside`` if the scope's board does not register the board, and as
    /// ``Denial/Reason/noEntrance`` if the scope is not live and nothing says how it is entered.
    ///
    /// - Parameters:
    ///   - id: a board inside the scope.
    ///   - others: more of them.
    ///   - scope: the board that they are inside of.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    public func declare<Contract, each Other, Scope>(
        _ id: BoardID<Contract>,
        _ others: repeat BoardID<each Other>,
        inside scope: BoardID<Scope>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        checkOwner()
        let site = CallSite(fileID, line)
        let scope = entry(for: scope, at: site)
        place(entry(for: id, at: site), inside: scope, at: site)
        for other in repeat each others { place(entry(for: other, at: site), inside: scope, at: site) }
    }

    private func place<Contract>(_ entry: BoardEntry<Contract>, inside scope: AnyBoardEntry, at site: CallSite) {
        let route = InwardRoute(inside: scope)
        site.require(
            entry.ownRoute == nil,
            "Board '\(entry.anyID)' is in a scope already; remove one of the two calls of declare(_:inside:)."
        )
        site.require(
            !route.scopes.contains { $0 === entry },
            "Board '\(entry.anyID)' would be inside itself. A scope cannot be inside a board that is inside it."
        )
        entry.setRoute(route)
    }
}
