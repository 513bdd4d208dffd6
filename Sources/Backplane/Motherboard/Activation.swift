/// One activation of a board: what became of it, and a handle on the board while this activation holds.
///
/// A small value that may be kept as long as one likes: it keeps neither the board nor the motherboard alive, and its
/// ``state`` stays exact for ever. Not `Sendable`; used on the motherboard's actor.
///
/// ```swift
/// let course = motherboard.activate(.course, with: "abc123")
/// if course.state == .waiting { … }   // a gate is in front of it
/// course.complete()
/// ```
public struct Activation<Contract: BoardContract> {
    enum Place {
        case made(SlotCore<Contract>, generation: UInt64)
        /// Not made, or not yet.
        case gated(TypedEntrant<Contract>)
    }

    let place: Place

    init(place: Place) {
        self.place = place
    }

    /// An activation that came to nothing.
    init(_ id: BoardID<Contract>, _ state: ActivationState) {
        place = .gated(TypedEntrant(id, state: state))
    }

    /// The identity that was activated.
    public var id: BoardID<Contract> {
        switch place {
        case .made(let core, _): core.record.id
        case .gated(let entrant): entrant.id
        }
    }

    /// What has become of the activation so far.
    public var state: ActivationState {
        switch place {
        case .gated(let entrant): return entrant.inside?.state ?? entrant.state
        case .made(let core, let generation):
            // A shared board that was activated again belongs to the later activation, however it ends.
            if core.generation != generation { return .superseded }
            switch core.phase {
            case .live: return .active
            case .ended: return .completed
            case .ownerGone: return .ownerGone
            }
        }
    }

    /// How the board ended; nil unless ``state`` is ``ActivationState/completed``.
    public var completion: Completion? {
        switch place {
        case .made(let core, let generation): core.generation == generation ? core.ending : nil
        case .gated(let entrant): entrant.inside?.completion ?? (entrant.state == .completed ? .cancelled : nil)
        }
    }

    private var liveCore: SlotCore<Contract>? {
        switch place {
        case .made(let core, let generation): core.isLive && core.generation == generation ? core : nil
        case .gated(let entrant): entrant.inside?.liveCore
        }
    }

    /// Sends a command to the board, which obeys before this returns; reaches it only while this activation is active.
    @discardableResult
    public func send(_ command: Contract.Command) -> CommandResult {
        switch place {
        case .made(let core, let generation):
            if core.generation == generation, core.receive(command) { return .delivered(1) }
        case .gated(let entrant):
            if let inside = entrant.inside { return inside.send(command) }
        }
        switch state {
        case .noSuchBoard: return .noSuchBoard
        case .ownerGone: return .ownerGone
        default: return .notLive
        }
    }

    /// Ends the activation: completes the board, or takes a waiting activation away from its gate.
    ///
    /// Does nothing once it is over or superseded.
    public func complete(_ completion: Completion = .done) {
        if case .gated(let entrant) = place, entrant.inside == nil { return entrant.leave() }
        liveCore?.complete(completion)
    }
}

/// What has become of an activation.
public enum ActivationState: Hashable, Sendable {
    /// A gate is in front of the board and has not decided yet.
    case waiting
    /// The board is live and this is its latest activation.
    case active
    /// The board was activated again, and belongs to the later activation.
    case superseded
    /// The board ended; ``Activation/completion`` says how.
    case completed
    /// The gate did not open; the board was not made.
    case denied(Denial)
    /// No board is registered under the identity.
    case noSuchBoard
    /// The motherboard has completed or is gone.
    case ownerGone
}

/// What became of a command.
public enum CommandResult: Hashable, Sendable {
    /// So many live boards obeyed.
    case delivered(Int)
    /// The board is registered, and none is live.
    case notLive
    /// No board is registered under the identity.
    case noSuchBoard
    /// The motherboard of the sender has completed or is gone.
    case ownerGone
}
