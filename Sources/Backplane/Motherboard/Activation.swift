import BackplaneConcurrency

/// One activation of a board: its state, and a handle on the board while this activation is active.
///
/// A small value that you may keep for any time: it keeps neither the board nor the motherboard alive, and its ``state``
/// stays exact. Not `Sendable`; used on the motherboard's actor.
///
/// ```swift
/// let course = motherboard.activate(.course, with: "abc123")
/// if course.state == .waiting { … }   // a gate is in front of it
/// course.complete()
/// ```
public struct Activation<Contract: BoardContract> {
    // A live board, or without a generation an waiter: see `downcast`. An enum would say it better, and cost a reference counted
    // at each command.
    private let subject: AnyObject
    private let generation: UInt64

    init(of liveBoard: LiveBoard<Contract>, generation: UInt64) {
        subject = liveBoard
        self.generation = generation
    }

    init(of waiter: TypedGateWaiter<Contract>) {
        subject = waiter
        generation = 0
    }

    /// An activation that came to nothing.
    init(_ id: BoardID<Contract>, _ state: ActivationState) {
        self.init(of: TypedGateWaiter(id, state: state))
    }

    /// The board that was made, once there is one.
    var anyLiveBoard: AnyLiveBoard? { isMade ? liveBoard : waiter.inside?.anyLiveBoard }

    private var isMade: Bool { generation != 0 }
    private var liveBoard: LiveBoard<Contract> { downcast(subject, to: LiveBoard<Contract>.self) }
    private var waiter: TypedGateWaiter<Contract> { downcast(subject, to: TypedGateWaiter<Contract>.self) }

    /// Traps, in debug builds, off the actor of a board that is live or waits.
    @inline(__always)
    private func checkOwner() {
        #if DEBUG
            let entry = isMade ? (liveBoard.isLive ? liveBoard.entry : nil) : waiter.entry
            entry?.scheduler.checkOwner()
        #endif
    }

    /// The identity that was activated.
    public var id: BoardID<Contract> { isMade ? liveBoard.entry.id : waiter.id }

    /// The state of the activation now.
    public var state: ActivationState {
        checkOwner()
        return isMade ? liveBoard.state(of: generation) : waiter.inside?.state ?? waiter.state
    }

    /// How the board ended; nil unless ``state`` is ``ActivationState/completed``.
    public var completion: Completion? {
        if isMade { return liveBoard.generation == generation ? liveBoard.ending : nil }
        if let inside = waiter.inside { return inside.completion }
        // Giving up while it waits is cancelling it.
        return waiter.state == .completed ? .cancelled : nil
    }

    /// Suspends until the activation does not wait any more, and returns its state then.
    ///
    /// Returns at once unless ``state`` is ``ActivationState/waiting``. Returns `waiting` if the calling task is cancelled
    /// first; the activation goes on waiting then. To be called on the motherboard's actor.
    ///
    /// ```swift
    /// let course = motherboard.activate(.course, with: "abc123")
    /// if case .denied(let denial) = await course.settled() { show(denial) }
    /// ```
    public func settled(isolation: isolated (any Actor)? = #isolation) async -> ActivationState {
        if !isMade { await waiter.settled(isolation: isolation) }
        return state
    }

    /// Sends a command to the board, which obeys before this returns; reaches it only while this activation is active.
    @discardableResult
    public func send(_ command: Contract.Command) -> CommandResult {
        if isMade, liveBoard.receive(command, in: generation) { return .delivered(1) }
        if !isMade, let inside = waiter.inside { return inside.send(command) }
        if isMade {
            liveBoard.entry.raise(.undeliveredCommand, of: liveBoard, payload: command) {
                "The activation was over when it was sent the command."
            }
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
        if isMade {
            liveBoard.complete(completion, in: generation)
        } else if let inside = waiter.inside {
            inside.complete(completion)
        } else if let scheduler = waiter.entry?.scheduler {
            scheduler.turn { waiter.leave() }
        } else {
            waiter.leave()
        }
    }
}

extension Activation: Equatable {
    /// Returns whether two handles are of the same activation.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        let (lhs, rhs) = (lhs.innermost, rhs.innermost)
        return lhs.subject === rhs.subject && lhs.generation == rhs.generation
    }

    /// The handle without the detour over a gate.
    private var innermost: Self { isMade ? self : waiter.inside ?? self }
}

/// The state of an activation.
public enum ActivationState: Hashable, Sendable {
    /// A gate in front of the board has not decided yet.
    case waiting
    /// The board is live and this is its latest activation.
    case active
    /// The board was activated again, and belongs to the later activation.
    case superseded
    /// The board ended; ``Activation/completion`` says how.
    case completed
    /// A gate did not open; the board was not entered.
    case denied(Denial)
    /// No board is registered under the identity.
    case noSuchBoard
    /// The motherboard has completed or is gone.
    case ownerGone
}

/// The outcome of a command.
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
