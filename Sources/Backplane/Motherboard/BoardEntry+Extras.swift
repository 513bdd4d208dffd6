extension BoardEntry {
    func addObserver(_ flow: Flow<TypedBoardEvent<Contract>>) { needExtras().observers.append(flow) }

    // These functions are not inlined, and most run only if there are observers: merely mentioning
    // the generic type `TypedBoardEvent` costs a look-up in unspecialized code.

    @inline(never)
    func noticeActivation(_ input: Contract.Input) { tellObservers(.activated(input)) }

    @inline(never)
    func reportUnhandled(_ output: Contract.Output, from liveBoard: LiveBoard<Contract>) {
        raise(.unhandledOutput, of: liveBoard, isProblem: true, payload: output) {
            "Nothing handled the output; register a flow from '\(id)'\(location)."
        }
        if scheduler.typedObserverCount > 0 { noticeOutput(output) }
    }

    @inline(never)
    func noticeOutput(_ output: Contract.Output) { tellObservers(.sent(output)) }

    @inline(never)
    func noticeCommand(_ command: Contract.Command) { tellObservers(.received(command)) }

    @inline(never)
    func noticeCompletion(_ completion: Completion) { tellObservers(.completed(completion)) }

    /// Notifies the observers of this ID on this motherboard and its ancestors.
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
    /// State that most boards never need, stored separately to save memory.
    final class Extras {
        // Stored by base class: see `uncheckedDowncast`. Only `activateLiveBoard` adds elements.
        var instances: [UInt64: AnyLiveBoard] = [:]
        var completionFlows = FlowList<EndedActivation<Contract>>()
        var ownGates: [AnyGate] = []
        var ownRoute: InwardRoute?
        /// The entry where the board is, if it belongs to another motherboard.
        ///
        /// The entry stays the same until that motherboard ends or registrations change.
        weak var elsewhere: AnyBoardEntry?
        var elsewhereVersion: UInt32 = 0
        /// The entrance, if the board is a scope.
        var entrance: ScopeEntrance?
        /// The number of the latest input from the entrance that has been taken.
        var lastArrival: UInt64 = 0
        /// The entries on ancestors that lead here, whose flows receive the messages of boards
        /// here.
        var outside: [BoardEntry<Contract>] = []
        var observers = FlowList<TypedBoardEvent<Contract>>()
        /// Stored, because looking up a generic type costs as much as creating the object.
        lazy var waiterType = GateWaiter<Contract>.self
    }

    /// The entrance of a scope, and a closure that declares the scope elsewhere.
    struct ScopeEntrance {
        let rule: AnyGate
        let flow: Registration
        /// Registers the scope on another motherboard in the same way.
        let declare: (Motherboard) -> Void
        /// Whether an ancestor registered the scope, and this is the copy where the scope's board
        /// is.
        let isInherited: Bool
    }
}
