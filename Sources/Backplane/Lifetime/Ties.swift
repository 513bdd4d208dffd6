import BackplaneConcurrency

/// What ties one board to the lifetimes of objects.
///
/// A lifetime is held weakly, or it would not end with its object; and it is told to forget what no longer matters, for it
/// may outlive very many boards.
final class Ties {
    private struct Tie {
        weak var lifetime: Lifetime?
        var key = 0
        /// What is kept while the lifetime goes on; nil for a mere call.
        let component: AnyObject?
    }

    private var ties: [Int: Tie] = [:]
    private var lastNumber = 0
    /// The ties of the present activation, as opposed to those of the board.
    private var paired: [Int] = []
    private var pairedIn: UInt64 = 0
    private var actionsAtCut: [() -> Void] = []

    var count: Int { ties.count }

    /// Keeps `component` until `lifetime` ends or this is cut.
    func keep(_ component: AnyObject, for lifetime: Lifetime, on owner: any Actor) {
        _ = tie(component, to: lifetime, on: owner) {}
    }

    /// Calls `action` when `lifetime` ends, unless this is cut or another activation paired before.
    func pair(
        _ activation: UInt64,
        with lifetime: Lifetime,
        on owner: any Actor,
        _ action: @escaping () -> Void
    ) {
        if pairedIn != activation {
            for number in paired { release(number) }
            paired = []
            pairedIn = activation
        }
        paired.append(tie(nil, to: lifetime, on: owner, action))
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
        for number in ties.keys { release(number) }
    }

    private func tie(
        _ component: AnyObject?,
        to lifetime: Lifetime,
        on owner: any Actor,
        _ action: @escaping () -> Void
    ) -> Int {
        lastNumber += 1
        let number = lastNumber
        // Before the call is ordered, which may be made at once.
        ties[number] = Tie(component: component)
        let call = OwnerCall(on: owner) { [weak self] in
            self?.ties[number] = nil
            action()
        }
        let key = lifetime.atEnd(call)
        ties[number]?.lifetime = lifetime
        ties[number]?.key = key
        return number
    }

    private func release(_ number: Int) {
        guard let tie = ties.removeValue(forKey: number) else { return }
        tie.lifetime?.forget(tie.key)
    }
}
