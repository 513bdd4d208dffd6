import BackplaneConcurrency

/// What ties one board to the lifetimes of objects.
///
/// A lifetime is held weakly, or it would not end with its object; and it is told to forget what no longer matters, for it
/// may outlive very many boards.
final class Ties {
    private struct Tie {
        weak var lifetime: Lifetime?
        let key: Int
        /// What is kept while the lifetime goes on; nil for a mere call.
        let component: AnyObject?
    }

    private var ties: [Int: Tie] = [:]
    private var lastNumber = 0
    private var actionsAtCut: [() -> Void] = []

    /// Keeps `component` until `lifetime` ends or this is cut.
    func keep(_ component: AnyObject, for lifetime: Lifetime, on owner: any Actor) {
        lastNumber += 1
        let number = lastNumber
        // Before the call is ordered, which may be made at once.
        ties[number] = Tie(lifetime: nil, key: 0, component: component)
        let key = lifetime.atEnd(OwnerCall(on: owner) { [weak self] in self?.ties[number] = nil })
        if ties[number] != nil { ties[number] = Tie(lifetime: lifetime, key: key, component: component) }
    }

    /// Calls `action` when `lifetime` ends, unless this is cut before.
    func call(at lifetime: Lifetime, on owner: any Actor, _ action: @escaping () -> Void) {
        lastNumber += 1
        let key = lifetime.atEnd(OwnerCall(on: owner, action))
        ties[lastNumber] = Tie(lifetime: lifetime, key: key, component: nil)
    }

    /// Calls `action` when this is cut.
    func atCut(_ action: @escaping () -> Void) {
        actionsAtCut.append(action)
    }

    /// Lets go of everything.
    func cut() {
        let actions = actionsAtCut
        actionsAtCut = []
        for action in actions { action() }
        let cut = ties
        ties = [:]
        for tie in cut.values { tie.lifetime?.forget(tie.key) }
    }
}
