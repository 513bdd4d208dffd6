import BackplaneConcurrency

extension BoardEntry {
    func setRoute(_ route: InwardRoute) {
        needExtras().ownRoute = route
        level.registryChanged()
    }

    /// Makes the board a scope, or replaces its entrance.
    ///
    /// - Returns: the activations that wait at the earlier entrance, which no longer lets them in.
    func setEntrance(_ entry: ScopeEntrance) -> [AnyGateWaiter] {
        let earlier = extras?.entrance
        needExtras().entrance = entry
        scheduler.hasScopes = true
        if !isScope { level.scopes = level.scopes + [self] }
        isScope = true
        level.registryChanged()
        guard let earlier else { return [] }
        earlier.flow.remove()
        return scheduler.waiting.filter { $0.needsInput && $0.gate === earlier.rule }
    }

    /// Returns the route to the board as `outer` resolves it, or `nil` if the board is here.
    func route(through outer: BoardEntry<Contract>) -> BoardRoute? {
        if isScope { return nil }
        let route = outer.resolvedRoute
        if outer.isScope, route == nil { return outer.isRegistered ? OutwardRoute(outer) : nil }
        let isInside = (route as? InwardRoute)?.isAround(level, within: outer.level) ?? false
        return isInside ? nil : route
    }

    /// Finds the entries on ancestors that lead here, from the nearest one to the root.
    func findOutside() {
        var outside: [BoardEntry<Contract>] = []
        // A scope inside another one is reached through the motherboards in between.
        var reached = [motherboard]
        var level = isElsewhere || !hasRouteOutside ? nil : motherboard.parent
        while let motherboard = level {
            if let entry = motherboard.existingEntry(for: id) {
                entry.resolve()
                if let route = entry.resolvedRoute as? InwardRoute, reached.contains(where: route.leads(to:)) {
                    outside.append(entry)
                    reached.append(motherboard)
                }
            }
            level = motherboard.parent
        }
        hasOutside = !outside.isEmpty
        if hasOutside { needExtras().outside = outside } else { extras?.outside = [] }
    }

    /// Resolves the entry again if registrations have changed since its board was activated.
    func resolveForDelivery() {
        guard standing == .open, resolvedVersion != scheduler.registryVersion else { return }
        // Released registrations may call back, and end the motherboard.
        withExtendedLifetime(motherboard) { resolve() }
    }

    /// Whether a flow on an ancestor receives outputs of boards here.
    var hasFlowsOutside: Bool { extras?.outside.contains { !$0.flows.isEmpty } ?? false }

    /// Passes an output on to the flows on ancestors that lead here.
    @inline(never)
    func fireOutside(_ output: Contract.Output) {
        guard let outside = extras?.outside else { return }
        for entry in outside {
            scheduler.handleFlow(!entry.isBoardsOwn) { entry.flows.fire(output, from: entry, isCrossing: true) }
        }
    }

    /// The part of a message that names the motherboard on which to register a flow.
    var location: String { hasOutside || standing == .orphaned ? "" : motherboard.location }

    /// The entry where the board is, if the route there is open and the board is known there.
    ///
    /// Valid only for an entry that has been resolved.
    var entryElsewhere: BoardEntry<Contract>? {
        if let extras, extras.elsewhereVersion == resolvedVersion, let there = extras.elsewhere, there.standing == .open
        {
            return uncheckedDowncast(there, to: BoardEntry<Contract>.self)
        }
        return findElsewhere()
    }

    @inline(never)
    private func findElsewhere() -> BoardEntry<Contract>? {
        guard let route = resolvedRoute, let motherboard = route.openDestination, !motherboard.isCompleted else {
            return nil
        }
        guard let there = motherboard.matchingEntry(for: id), there.isKnown else { return nil }
        if route.leadsNowhereElse(than: motherboard) {
            let extras = needExtras()
            extras.elsewhere = there
            extras.elsewhereVersion = resolvedVersion
        }
        return there
    }
}
