import BackplaneConcurrency

extension Record {
    func setPlacement(_ placement: Placement) {
        needExtras().ownPlacement = placement
        turns.registryChanged()
    }

    func setEntrance(_ entry: Entry) {
        let earlier = extras?.entrance
        needExtras().entrance = entry
        if !isScope { motherboard.scopes.append(self) }
        isScope = true
        turns.registryChanged()
        earlier?.flow.remove()
    }

    /// The way to the board that `outer` says it is at; nil where that is here.
    func passage(through outer: Record<Contract>) -> Passage? {
        if isScope { return nil }
        let passage = outer.resolvedPassage
        if outer.isScope, passage == nil { return WayOut(to: outer) }
        let isInside = (passage as? Placement)?.isAround(motherboard, within: outer.motherboard) ?? false
        return isInside ? nil : passage
    }

    /// The record where the board is, if the way there is open and the board is known there.
    ///
    /// For a record that has been resolved.
    var recordElsewhere: Record<Contract>? {
        if let extras, extras.elsewhereVersion == resolvedVersion, let there = extras.elsewhere, there.standing == .open
        {
            return downcast(there, to: Record<Contract>.self)
        }
        return findElsewhere()
    }

    @inline(never)
    private func findElsewhere() -> Record<Contract>? {
        guard let passage = resolvedPassage, let motherboard = passage.openDestination else { return nil }
        let there = motherboard.record(for: id)
        guard there.isKnown else { return nil }
        if passage.leadsNowhereElse(than: motherboard) {
            let extras = needExtras()
            extras.elsewhere = there
            extras.elsewhereVersion = resolvedVersion
        }
        return there
    }
}
