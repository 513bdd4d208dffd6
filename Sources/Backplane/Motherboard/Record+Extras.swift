extension Record {
    /// State that most boards never need, kept apart so that they do not pay for it.
    final class Extras {
        // By base class: see `downcast`. Only `activateCore` puts anything in.
        var instances: [UInt64: AnySlotCore] = [:]
        var completionFlows = FlowList<EndedActivation<Contract>>()
        var ownGates: [Gate] = []
        var ownPlacement: Placement?
        /// The record where a board is that is elsewhere: the same until that one's motherboard ends, or registrations change.
        weak var elsewhere: AnyRecord?
        var elsewhereVersion: UInt32 = 0
        /// The entrance, if the board is a scope.
        var entrance: Entry?
        var observers = FlowList<Happening<Contract>>()
        /// Kept, because finding a generic type anew costs as much as making the object.
        lazy var entrantType = TypedEntrant<Contract>.self
        /// The run that further activations may join, if the board is a gate without input.
        var sharedRun: GateRun?
    }

    /// The entrance of a scope, and the way to declare it elsewhere.
    struct Entry {
        let rule: Gate
        let flow: FlowToken
        /// Registers the scope on another motherboard in the same way.
        let declare: (Motherboard) -> Void
        /// Whether it was registered around, for where the scope's board is.
        let isInherited: Bool
    }
}
