extension BoardEntry {
    func addObserver(_ flow: Flow<TypedBoardEvent<Contract>>) { needExtras().observers.append(flow) }

    // Functions of their own, not inlined, and called behind a look at the count: even to mention the generic type
    // `TypedBoardEvent` costs a look-up in unspecialized code.

    @inline(never)
    func noticeActivation(_ input: Contract.Input) { tellObservers(.activated(input)) }

    @inline(never)
    func noticeOutput(_ output: Contract.Output) { tellObservers(.sent(output)) }

    @inline(never)
    func noticeCommand(_ command: Contract.Command) { tellObservers(.received(command)) }

    @inline(never)
    func noticeCompletion(_ completion: Completion) { tellObservers(.completed(completion)) }

    /// Tells the observers of boards of this ID, here and around.
    private func tellObservers(_ happening: TypedBoardEvent<Contract>) {
        var level: Motherboard? = standing == .orphaned ? nil : motherboard
        while let motherboard = level {
            if let entry = motherboard.existingEntry(for: id) {
                entry.extras?.observers.fire(happening, from: entry)
            }
            level = motherboard.parent
        }
    }
}

extension BoardEntry {
    /// State that most boards never need, kept apart so that they do not pay for it.
    final class Extras {
        // By base class: see `downcast`. Only `activateLiveBoard` puts anything in.
        var instances: [UInt64: AnyLiveBoard] = [:]
        var completionFlows = FlowList<EndedActivation<Contract>>()
        var ownGates: [Gate] = []
        var ownRoute: InwardRoute?
        /// The entry where a board is that is elsewhere: the same until that one's motherboard ends, or registrations change.
        weak var elsewhere: AnyBoardEntry?
        var elsewhereVersion: UInt32 = 0
        /// The entrance, if the board is a scope.
        var entrance: ScopeEntrance?
        var observers = FlowList<TypedBoardEvent<Contract>>()
        /// Kept, because finding a generic type anew costs as much as making the object.
        lazy var waiterType = TypedGateWaiter<Contract>.self
        /// The run that further activations may join, if the board is a gate without input.
        var sharedRun: GateRun?
    }

    /// The entrance of a scope, and the way to declare it elsewhere.
    struct ScopeEntrance {
        let rule: Gate
        let flow: FlowToken
        /// Registers the scope on another motherboard in the same way.
        let declare: (Motherboard) -> Void
        /// Whether it was registered around, for where the scope's board is.
        let isInherited: Bool
    }
}
