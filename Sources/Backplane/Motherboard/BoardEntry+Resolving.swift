import BackplaneConcurrency

/// The factory, the gates and the route that are in force for a board.
extension BoardEntry {
    /// Resolves the effective registration and gates from this motherboard and its ancestors.
    ///
    /// Releases the previous ones last. Their captured values may call back then: they may register
    /// again or end the motherboard.
    func resolve() {
        while resolvedVersion != scheduler.registryVersion, standing != .orphaned {
            // Another thread may have released the tree, and then nothing is entered any longer.
            if isNested, !level.isThere { return }
            guard scheduler.hasRegistryChanged(since: resolvedVersion, atDepth: level.depth) else {
                resolvedVersion = scheduler.registryVersion
                return
            }
            let nearest = level.outer?.nearestEntry(named: name)
            // A name may belong to another contract there.
            let outer = nearest?.typed(as: id)
            outer?.resolve()
            resolvedVersion = scheduler.registryVersion
            // Inside the scope, the board is here, although the same module declares it again.
            let own = ownRoute.flatMap { $0.isAround(level) ? nil : $0 }
            let route = own ?? (origin == .inherited ? outer.flatMap(route(through:)) : nil)
            let (earlier, earlierGates) = (registration, gates)
            if origin == .own, outer?.hasStandIn ?? false { origin = .covered }
            if origin == .inherited || origin == .covered {
                registration = outer?.registration
                hasStandIn = outer?.hasStandIn ?? false
                reuse = outer?.reuse ?? .shared
            }
            // The gates in front of a board on another motherboard are asked there, except those
            // between here and the motherboard that leads there.
            gates =
                route.map { [$0] + level.gates(before: self, below: $0.gateBoard.level) }
                ?? gates(behind: outer)
            isElsewhere = route != nil
            isGated = !gates.isEmpty || isScope
            hasRouteOutside = outer.map { $0.isElsewhere || $0.hasRouteOutside } ?? (nearest != nil)
            if isNested { findOutside() }
            drop(earlierGates)
            drop(earlier as AnyObject?)
        }
    }

    /// Returns the gates in front of a board that is here.
    ///
    /// Takes over those of `outer`, the resolved entry on the nearest ancestor that has one. So
    /// boards inside boards do not each ask all motherboards around them.
    private func gates(behind outer: BoardEntry<Contract>?) -> [AnyGate] {
        guard let outer, !outer.isElsewhere, !level.hasGeneralGates(below: outer.level) else {
            return level.gates(before: self)
        }
        return ownGates.isEmpty ? outer.gates : outer.gates + ownGates
    }

    /// The route to the board if it belongs to another motherboard, as last resolved.
    var resolvedRoute: BoardRoute? {
        isElsewhere ? gates.first.map { uncheckedDowncast($0, to: BoardRoute.self) } : nil
    }

    var registrationInForce: BoardFactory<Contract>? {
        resolve()
        return registration
    }
}
