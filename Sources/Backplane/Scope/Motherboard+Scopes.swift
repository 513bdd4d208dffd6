extension Motherboard {
    /// Makes a board a scope, which is entered through an output of another board.
    ///
    /// The boards on the scope's nested motherboard exist only while the scope's board is live.
    /// Register the scope's own board like any other board. It is activated once, with the input
    /// made from an output of the entrance. So the board, and everything it installs on its
    /// ``Slot/inner`` motherboard, can keep that input as a constant:
    ///
    /// ```swift
    /// motherboard.register { SessionBoard(slot: $0, account: $1) }
    /// motherboard.registerScope(Session.id, enteredBy: Login.id) { output in
    ///     if case .signedIn(let account) = output { account } else { nil }
    /// }
    /// motherboard.declare(Dashboard.id, Course.id, inside: Session.id)
    /// motherboard.activate(Course.id, with: "abc123")
    /// ```
    ///
    /// **Entering.** If the scope is not live, an activation of a board inside it waits while the
    /// entrance is asked. All waiting activations share this question and keep their order and
    /// their inputs. They continue inside the scope once its board has been activated. An output of
    /// the entrance enters the scope even if no activation waits. If the scope is already live, the
    /// output is discarded and raises ``BoardEvent/Kind/droppedEntrance``, unless the scope is
    /// `switching`.
    ///
    /// **Inside another scope.** You can put a scope inside another one with
    /// ``declare(_:_:inside:fileID:line:)``, and register both on the same motherboard. The inner
    /// scope and its entrance then count as registered on the nested motherboard of the outer
    /// scope.
    ///
    /// **Denial.** The waiting activations become ``ActivationState/denied(_:)`` in three cases.
    /// The entrance ends without an output that enters the scope. A gate in front of the scope
    /// denies it. Or the scope's board ends while it is being entered.
    ///
    /// **One at a time.** The scope's board belongs to this motherboard, even if it is activated on
    /// a nested one. Only one is live at a time. Activating a live scope first ends its board as
    /// ``Completion/cancelled``, with everything inside it. If the scope's board is also a gate
    /// board, a question of that gate does the same.
    ///
    /// **The latest input.** While an output of the entrance waits at a gate in front of the scope,
    /// a later output replaces it, and all these gates are asked again. The earlier output is
    /// discarded with ``BoardEvent/Kind/droppedEntrance``. An output that waits at a gate is also
    /// discarded in two other cases: the scope is entered in another way, or the activations that
    /// needed the output give up.
    ///
    /// - Parameters:
    ///   - id: the scope's board.
    ///   - entrance: the board whose output enters the scope.
    ///   - question: the input with which the entrance is asked.
    ///   - replacing: whether this replaces the scope's entrance. Activations that wait for the
    ///     scope then leave the earlier entrance and wait at this one. If it is `false`,
    ///     registering a scope twice traps.
    ///   - switching: whether an output of the entrance replaces a live scope. The live scope then
    ///     ends and a new one is entered, for example from a picker of accounts or organizations.
    ///     Without it, such an output is discarded.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - input: returns the scope's input for an output of the entrance, or `nil` if the output
    ///     does not enter the scope.
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
            "The scope '\(id)' cannot be its own entrance; name the board whose output enters it."
        )
        site.require(
            !scope.isScope || replacing || scope.extras?.entrance?.isInherited ?? false,
            "The scope '\(id)' is registered already; remove one of the two calls, or pass `replacing: true` to replace its entrance."
        )
        let rule = Entrance(into: scope, by: gateBoard, asking: question, isSwitching: switching, input)
        let flow = EntranceFlow(rule, to: scope.anyID)
        let entry = BoardEntry<Scope>.ScopeEntrance(
            rule: rule,
            flow: Registration(of: flow, in: gateBoard),
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
        let waiting = scope.setEntrance(entry)
        gateBoard.add(flow)
        // The live scope around this one has a copy of the earlier entrance.
        if let inside = scope.route?.openDestination,
            inside.existingEntry(for: id)?.extras?.entrance?.isInherited == true
        {
            scope.declareScope(on: inside)
        }
        if waiting.isEmpty { return }
        scheduler.turn {
            scheduler.handleFlow { for waiter in waiting { waiter.askAgain() } }
        }
    }

    /// Registers here the scopes of all ancestors that are declared inside this motherboard's
    /// board.
    func inheritScopes() {
        // Most trees have none, and then a board inside many others does not ask all of them.
        guard scheduler.hasScopes else { return }
        var next = level.outer
        while let level = next {
            for scope in level.scopes where scope.ownRoute?.leads(to: self) ?? false { scope.declareScope(on: self) }
            next = level.outer
        }
    }

    /// Makes a board a scope whose entrance needs no input.
    ///
    /// For everything else, see
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

    /// Declares that boards are inside a scope.
    ///
    /// If you activate such a board here, it is activated on the nested motherboard of the scope's
    /// board. So links, flows and other boards only use the board's ID and need not know the scope.
    /// The scope's board registers the boards inside, where their dependencies exist:
    ///
    /// ```swift
    /// motherboard.declare(Dashboard.id, Course.id, inside: Session.id)
    /// motherboard.registerLink("course/{id}", to: Course.id)
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
    /// While the scope is not live, an activation first enters the scope: see
    /// ``registerScope(_:enteredBy:with:replacing:switching:fileID:line:input:)``. A scope may be
    /// inside another scope. Gates in front of a board inside are asked after the scope has been
    /// entered. While the scope is live, commands, ``isLive(_:)``, ``liveCount(of:)`` and
    /// ``complete(_:_:)`` reach the board inside. Its outputs and completions reach the flows
    /// inside the scope, and then the flows that are registered here.
    ///
    /// If the board needs nothing of the scope but the scope's input, call
    /// ``register(_:inside:reuse:replacing:_:fileID:line:)`` instead.
    ///
    /// An activation is denied as ``Denial/Reason/notInside`` if the scope's board does not
    /// register the board. It is denied as ``Denial/Reason/noEntrance`` if the scope is not live
    /// and has no entrance.
    ///
    /// - Parameters:
    ///   - id: a board inside the scope.
    ///   - others: more boards inside the scope.
    ///   - scope: the scope's board.
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

    func place<Contract>(_ entry: BoardEntry<Contract>, inside scope: AnyBoardEntry, at site: CallSite) {
        let route = InwardRoute(scope)
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
