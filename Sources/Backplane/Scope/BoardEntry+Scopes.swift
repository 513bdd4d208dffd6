import BackplaneConcurrency

extension BoardEntry {
    func setRoute(_ route: InwardRoute) {
        needExtras().ownRoute = route
        scheduler.registryChanged()
    }

    func setEntrance(_ entry: ScopeEntrance) {
        let earlier = extras?.entrance
        needExtras().entrance = entry
        if !isScope { motherboard.scopes.append(self) }
        isScope = true
        scheduler.registryChanged()
        earlier?.flow.remove()
    }

    /// Returns the route to the board as `outer` resolves it, or `nil` if the board is here.
    func route(through outer: BoardEntry<Contract>) -> BoardRoute? {
        if isScope { return nil }
        let route = outer.resolvedRoute
        if outer.isScope, route == nil { return OutwardRoute(to: outer) }
        let isInside = (route as? InwardRoute)?.isAround(motherboard, within: outer.motherboard) ?? false
        return isInside ? nil : route
    }

    /// The entry where the board is, if the route there is open and the board is known there.
    ///
    /// Valid only for an entry that has been resolved.
    var entryElsewhere: BoardEntry<Contract>? {
        if let extras, extras.elsewhereVersion == resolvedVersion, let there = extras.elsewhere, there.standing == .open
        {
            return downcast(there, to: BoardEntry<Contract>.self)
        }
        return findElsewhere()
    }

    @inline(never)
    private func findElsewhere() -> BoardEntry<Contract>? {
        guard let route = resolvedRoute, let motherboard = route.openDestination else { return nil }
        let there = motherboard.entry(for: id)
        guard there.isKnown else { return nil }
        if route.leadsNowhereElse(than: motherboard) {
            let extras = needExtras()
            extras.elsewhere = there
            extras.elsewhereVersion = resolvedVersion
        }
        return there
    }
}
