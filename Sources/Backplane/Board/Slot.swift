/// The socket that a board is plugged into: its way to its motherboard.
///
/// A slot belongs to one made board. It is not `Sendable` and is used on the motherboard's actor only. You may keep it
/// longer than the board lives. After the board has completed or the motherboard is gone, every member does nothing and
/// reports it, by its return value or by an event while there is a motherboard.
public struct Slot<Contract: BoardContract> {
    let liveBoard: LiveBoard<Contract>

    /// The identity the board was activated under.
    public var id: BoardID<Contract> { liveBoard.entry.id }

    /// Whether the board is plugged in: it has neither completed nor lost its motherboard.
    ///
    /// False, too, inside work that was superseded or replaced: see ``task(_:)``.
    public var isLive: Bool { liveBoard.obeysCaller }

    /// The actor that the motherboard and its boards live on.
    ///
    /// For the few APIs that want to be told: code that is synchronous and not isolated in the compiler's eyes has no
    /// `#isolation`. To be used on that actor only, as everything here.
    public var owner: any Actor { liveBoard.entry.scheduler.owner }

    /// Sends an output to the motherboard, whose flows it reaches in the order of registration.
    ///
    /// Outputs of all boards are delivered in the order sent, one at a time; sent while another is being delivered, this one
    /// waits its turn and is delivered before the outermost call into the motherboard returns. Sending and then completing
    /// delivers both, in that order; ``complete(_:sending:)`` does it in one step. An output sent after completion is dropped and raises ``BoardEvent/Kind/droppedOutput``.
    public func send(_ output: Contract.Output) {
        liveBoard.send(output)
    }

    /// Sends a command to a live sibling, which obeys before this returns.
    ///
    /// Never makes a board.
    @discardableResult
    public func send<Other>(_ command: Other.Command, to id: BoardID<Other>) -> CommandResult {
        liveBoard.obeysCaller ? liveBoard.entry.motherboard.send(command, to: id) : .ownerGone
    }

    /// Sends an action, which goes to the motherboard's general flows and from there up until one handles it.
    ///
    /// Delivered in order with outputs; sent after completion it is dropped like one.
    public func sendAction(_ action: some BoardFlowAction) {
        guard liveBoard.obeysCaller else { return liveBoard.dropped("an action") }
        liveBoard.entry.motherboard.sendAction(action, from: liveBoard)
    }

    /// Returns whether a sibling is live, one that commands reach.
    public func isLive<Other>(_ id: BoardID<Other>) -> Bool { liveCount(of: id) > 0 }

    /// Returns the number of live siblings of an ID, those that commands reach.
    public func liveCount<Other>(of id: BoardID<Other>) -> Int {
        liveBoard.isLive ? liveBoard.entry.motherboard.liveCount(of: id) : 0
    }

    /// Activates a sibling through the motherboard; the board stays as it is.
    @discardableResult
    public func nextToBoard<Other>(_ id: BoardID<Other>, with input: Other.Input) -> Activation<Other> {
        guard liveBoard.obeysCaller else { return Activation(id, .ownerGone) }
        return liveBoard.entry.motherboard.activate(id, with: input, from: liveBoard)
    }

    /// Ends the board.
    ///
    /// At once the board is removed, its tasks are cancelled and its nested motherboard completes. Completion flows run in
    /// order, behind outputs already sent. A second call does nothing; activating the identity again makes a fresh board.
    public func complete(_ completion: Completion = .done) {
        if liveBoard.obeysCaller { liveBoard.complete(completion) }
    }

    /// A motherboard inside this board, to wrap a small flow; made on first use, completed with the board.
    ///
    /// It has the same actor. Boards and gates registered outside are known in it, and the boards it makes are its own;
    /// flows are not inherited, and outputs and commands do not cross its border. Asked for after completion, it is a
    /// completed one, on which nothing can be activated.
    public var inner: Motherboard { liveBoard.nestedMotherboard() }

    /// Starts asynchronous work on the board's actor, which belongs to the present activation.
    ///
    /// The work is cancelled when the activation completes or is superseded. `CancellationError` is
    /// ignored; any other error completes the board as ``Completion/failed(_:)``. After completion
    /// nothing is started and the returned task has ended.
    ///
    /// ```swift
    /// func activate(with city: City.ID) {
    ///     task { self.send(.loaded(try await self.loadForecast(city))) }
    /// }
    /// ```
    ///
    /// **Order.** The work begins one hop later: never before this returns, and never inside a turn.
    ///
    /// **Cancellation.** Work that was superseded has no effect through this slot, even if it does
    /// not stop when it is cancelled: inside it, and inside tasks it has started, the slot behaves
    /// as after completion. Outputs and actions are dropped with ``BoardEvent/Kind/droppedOutput``,
    /// everything else does nothing, and an error it throws is ignored. So the forecast of the old
    /// city never arrives as that of the new one.
    ///
    /// - Parameter operation: the work; it runs on the motherboard's actor and may use the board freely. Unless the board is
    ///   `@MainActor`, write it **without a capture list**: Swift 6.2 and 6.3 run a closure that has one off its actor
    ///   (swiftlang/swift#87097). None is needed: the task ends with the board.
    /// - Returns: the task, to cancel it earlier or to wait for it.
    @discardableResult
    public func task(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) -> Task<Void, Never> {
        liveBoard.startWork(nil, lasting: .activation, operation)
    }

    /// Starts asynchronous work that lasts as long as the activation or as long as the board.
    ///
    /// The same as ``task(_:)``, except that work that lasts as long as the board goes on when the
    /// board is activated again: a connection, for example, or a timer.
    ///
    /// ```swift
    /// task(lasting: .board) {
    ///     for try await message in self.connection { self.send(.received(message)) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - lifetime: the part of the board's life that the work belongs to.
    ///   - operation: the work; it runs on the motherboard's actor. Unless the board is
    ///     `@MainActor`, write it **without a capture list**: see ``task(_:)``.
    /// - Returns: the task, to cancel it earlier or to wait for it.
    @discardableResult
    public func task(
        lasting lifetime: TaskLifetime,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        liveBoard.startWork(nil, lasting: lifetime, operation)
    }

    /// Starts asynchronous work and cancels the board's earlier work of the same key.
    ///
    /// The replaced work has no effect through this slot from then on, even if it does not stop
    /// when it is cancelled, and an error it throws is ignored. Apart from that, this is
    /// ``task(lasting:_:)``.
    ///
    /// ```swift
    /// task(.search) { self.send(.found(try await self.find(text))) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the kind of work; a board has one work of a kind at a time.
    ///   - lifetime: the part of the board's life that the work belongs to.
    ///   - operation: the work; it runs on the motherboard's actor. Unless the board is
    ///     `@MainActor`, write it **without a capture list**: see ``task(_:)``.
    /// - Returns: the task, to cancel it earlier or to wait for it.
    @discardableResult
    public func task(
        _ key: TaskKey,
        lasting lifetime: TaskLifetime = .activation,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        liveBoard.startWork(key, lasting: lifetime, operation)
    }

    /// Keeps a component of the board for as long as `object` lives and the board stays.
    ///
    /// Of the four lifecycles of what is behind a board this is for a component that belongs to a window or a session. (The
    /// others: nothing to manage; a stored property that the board sets to nil when the component says that it has finished;
    /// ``pair(with:)``.) The component is let go when the object's ``Lifetime`` ends, at once or after one hop: see
    /// ``Lifetime/end()``. Does nothing after completion.
    ///
    /// - Parameters:
    ///   - component: what to keep.
    ///   - object: whose lifetime counts; it is not kept alive.
    public func keep(_ component: some AnyObject, for object: some LifetimeOwner) {
        liveBoard.keep(component, for: object.lifetime)
    }

    /// Ends this activation when `object` goes: a course is over when its screen has been closed.
    ///
    /// The board completes as ``Completion/cancelled`` when the object's ``Lifetime`` ends, at once or after one hop: see
    /// ``Lifetime/end()``. If the board has been activated again by then it stays. Does nothing after completion.
    ///
    /// - Parameter object: whose lifetime counts; it is not kept alive.
    public func pair(with object: some LifetimeOwner) {
        liveBoard.pair(with: object.lifetime)
    }
}
