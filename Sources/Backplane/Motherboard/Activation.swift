import BackplaneConcurrency

/// A handle to one activation of a board, with the state of that activation.
///
/// You may keep this small value as long as you like. It does not keep the board or the motherboard
/// alive, and its ``state`` stays exact. It is not `Sendable`: use it on the motherboard's actor.
///
/// ```swift
/// let course = motherboard.activate(Course.id, with: "abc123")
/// if course.state == .waiting { … }   // a gate is in front of it
/// course.complete()
/// ```
public struct Activation<Contract: BoardContract> {
    // Either a live board with its generation, or a waiter with generation 0: see
    // `uncheckedDowncast`. An enum would be clearer, but would cost a retain and a release for each
    // command.
    private let subject: AnyObject
    private let generation: UInt64

    init(of liveBoard: LiveBoard<Contract>, generation: UInt64) {
        subject = liveBoard
        self.generation = generation
    }

    init(of waiter: GateWaiter<Contract>) {
        subject = waiter
        generation = 0
    }

    /// Creates an activation that reached neither a board nor a gate.
    init(_ id: BoardID<Contract>, _ state: ActivationState) {
        self.init(of: GateWaiter(id, state: state))
    }

    /// The live board, once the board has been made.
    var anyLiveBoard: AnyLiveBoard? { isMade ? liveBoard : waiter.inside?.anyLiveBoard }

    /// The activation while it waits, or after it has waited without a result.
    var anyWaiter: AnyGateWaiter? { isMade ? nil : waiter }

    private var isMade: Bool { generation != 0 }
    private var liveBoard: LiveBoard<Contract> { uncheckedDowncast(subject, to: LiveBoard<Contract>.self) }
    private var waiter: GateWaiter<Contract> { uncheckedDowncast(subject, to: GateWaiter<Contract>.self) }

    /// Traps, in debug builds, if called off the actor while the board is live or the activation
    /// waits.
    @inline(__always)
    private func checkOwner() {
        #if DEBUG
            let entry = isMade ? (liveBoard.isLive ? liveBoard.entry : nil) : waiter.entry
            entry?.scheduler.checkOwner()
        #endif
    }

    /// The ID of the activated board.
    public var id: BoardID<Contract> { isMade ? liveBoard.entry.id : waiter.id }

    /// The current state of the activation.
    public var state: ActivationState {
        checkOwner()
        return isMade ? liveBoard.state(of: generation) : waiter.inside?.state ?? waiter.state
    }

    /// The way the activation ended; `nil` unless ``state`` is ``ActivationState/completed``.
    public var completion: Completion? {
        checkOwner()
        if isMade { return liveBoard.generation == generation ? liveBoard.ending : nil }
        if let inside = waiter.inside { return inside.completion }
        // Giving up while waiting counts as cancellation.
        return waiter.state == .completed ? .cancelled : nil
    }

    /// Waits until the activation no longer waits at a gate, and returns its state.
    ///
    /// This method returns at once unless ``state`` is ``ActivationState/waiting``. If the calling
    /// task is cancelled first, it returns `waiting`, and the activation continues to wait. Call
    /// this method on the motherboard's actor.
    ///
    /// ```swift
    /// let course = motherboard.activate(Course.id, with: "abc123")
    /// if case .denied(let denial) = await course.settled() { show(denial) }
    /// ```
    public func settled(isolation: isolated (any Actor)? = #isolation) async -> ActivationState {
        checkOwner()
        if !isMade { await waiter.settled(isolation: isolation) }
        return state
    }

    /// Sends a command to the board, which handles it before this method returns.
    ///
    /// The command reaches the board only while this activation is active.
    @discardableResult
    public func send(_ command: Contract.Command) -> CommandResult {
        if isMade, liveBoard.receive(command, in: generation) { return .delivered(1) }
        if !isMade, let inside = waiter.inside { return inside.send(command) }
        if isMade {
            liveBoard.entry.raise(.undeliveredCommand, of: liveBoard, isProblem: true, payload: command) {
                "The activation is not active, so its board did not receive the command. Look at its state first, or send "
                    + "the command to the ID."
            }
        }
        switch state {
        case .noSuchBoard: return .noSuchBoard
        case .ownerGone: return .ownerGone
        default: return .notLive
        }
    }

    /// Ends the activation: completes the board, or removes a waiting activation from its gate.
    ///
    /// This method does nothing if the activation is over or superseded.
    public func complete(_ completion: Completion = .done) {
        checkOwner()
        if isMade {
            liveBoard.complete(completion, in: generation)
        } else if let inside = waiter.inside {
            inside.complete(completion)
        } else if let scheduler = waiter.entry?.scheduler {
            scheduler.turn { waiter.giveUp() }
        }
    }
}

extension Activation: Equatable {
    /// Returns whether two handles refer to the same activation.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        let (lhs, rhs) = (lhs.innermost, rhs.innermost)
        return lhs.subject === rhs.subject && lhs.generation == rhs.generation
    }

    /// The direct handle to the live board, without the waiter that led to it.
    private var innermost: Self { isMade ? self : waiter.inside ?? self }
}

/// The state of an activation.
public enum ActivationState: Hashable, Sendable {
    /// A gate in front of the board has not decided yet.
    case waiting
    /// The board is live, and this is its latest activation.
    case active
    /// The board was activated again, and now belongs to the later activation.
    case superseded
    /// The activation ended; ``Activation/completion`` says how.
    case completed
    /// A gate denied the activation, so the board was not activated.
    case denied(Denial)
    /// No board is registered under the ID.
    case noSuchBoard
    /// The motherboard has completed or no longer exists.
    case ownerGone
}

/// The result of sending a command.
public enum CommandResult: Hashable, Sendable {
    /// The command reached this number of live boards.
    case delivered(Int)
    /// A board is registered under the ID, but none is live.
    case notLive
    /// No board is registered under the ID.
    case noSuchBoard
    /// The sender's motherboard has completed or no longer exists.
    case ownerGone
}
