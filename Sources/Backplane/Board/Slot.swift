/// The connection of a board to its motherboard.
///
/// A slot belongs to one created board. It is not `Sendable`, and you use it on the motherboard's
/// actor only. You may keep it longer than the board lives. After the board has completed or the
/// motherboard is released, every member does nothing. The member reports this by its return value,
/// or by an event while the motherboard exists.
public struct Slot<Contract: BoardContract> {
    let liveBoard: LiveBoard<Contract>

    /// The ID that the board was activated under.
    public var id: BoardID<Contract> { liveBoard.entry.id }

    /// Whether the board is live: it has not completed, and its motherboard still exists.
    ///
    /// It is also `false` inside work that was superseded or replaced: see ``task(_:)``.
    public var isLive: Bool { liveBoard.obeysCaller }

    /// The actor that the motherboard and its boards live on.
    ///
    /// Pass it to an API that needs the actor as an argument. Synchronous code without static
    /// isolation has no `#isolation`. Use this property on that actor only, like every member of a
    /// slot.
    public var owner: any Actor { liveBoard.entry.scheduler.owner }

    /// Sends an output to the motherboard, which passes it to its flows in the order of
    /// registration.
    ///
    /// **Order.** The motherboard delivers the outputs of all boards one at a time, in the order
    /// they were sent. An output that you send during another delivery waits in the queue. It is
    /// delivered before the outermost call into the motherboard returns.
    ///
    /// **Completion.** If you send an output and then complete the board, both are delivered in
    /// that order. ``complete(_:sending:)`` does both in one step. An output that you send after
    /// completion is dropped and raises ``BoardEvent/Kind/droppedOutput``.
    public func send(_ output: Contract.Output) {
        liveBoard.send(output)
    }

    /// Sends a command to a live sibling, which handles it before this returns.
    ///
    /// This never creates a board.
    @discardableResult
    public func send<Other>(_ command: Other.Command, to id: BoardID<Other>) -> CommandResult {
        liveBoard.obeysCaller ? liveBoard.entry.motherboard.send(command, to: id) : .ownerGone
    }

    /// Sends an action to the motherboard's general flows, and up the chain until a motherboard
    /// handles it.
    ///
    /// Actions and outputs are delivered in one common order. An action that is sent after
    /// completion is dropped like an output.
    public func sendAction(_ action: some BoardFlowAction) {
        guard liveBoard.obeysCaller else { return liveBoard.dropped("an action") }
        liveBoard.entry.level.send(action, from: liveBoard)
    }

    /// Returns whether a sibling is live and reachable by commands.
    public func isLive<Other>(_ id: BoardID<Other>) -> Bool { liveCount(of: id) > 0 }

    /// Returns the number of live siblings with an ID that commands reach.
    func liveCount<Other>(of id: BoardID<Other>) -> Int {
        liveBoard.obeysCaller ? liveBoard.entry.motherboard.liveCount(of: id) : 0
    }

    /// Activates a sibling through the motherboard; this board stays live.
    @discardableResult
    public func nextToBoard<Other>(_ id: BoardID<Other>, with input: Other.Input) -> Activation<Other> {
        guard liveBoard.obeysCaller else { return Activation(id, .ownerGone) }
        return liveBoard.entry.motherboard.activate(id, with: input, from: liveBoard)
    }

    /// Ends the board.
    ///
    /// The board is removed, its tasks are cancelled and its nested motherboard completes, all
    /// before this returns. Completion flows run in order, after the outputs that were already
    /// sent. A second call does nothing. Activating the ID again creates a new board.
    public func complete(_ completion: Completion = .done) {
        if liveBoard.obeysCaller { liveBoard.complete(completion) }
    }

    /// The motherboard inside this board, for a small flow of its own.
    ///
    /// It is created on first use, and completes with the board. It has the same actor. Boards and
    /// gates that are registered on its ancestors are known in it, but the boards that it creates
    /// are its own. Flows are not inherited. Outputs and commands do not cross its border. After
    /// completion this returns a completed motherboard, on which nothing can be activated.
    ///
    /// Work that was superseded or replaced also receives a completed motherboard. The real
    /// motherboard does not know which work calls it. So if work has stored it, the calls of this
    /// work have an effect until the board ends. Do not store it in work: read this property each
    /// time.
    public var inner: Motherboard { liveBoard.nestedMotherboard() }

    /// Starts asynchronous work on the board's actor, which belongs to the current activation.
    ///
    /// The work is cancelled when the activation completes or is superseded. A `CancellationError`
    /// is ignored. Any other error completes the board as ``Completion/failed(_:)``. After
    /// completion no work starts, and the returned task does nothing.
    ///
    /// ```swift
    /// func activate(with city: City.ID) {
    ///     task { self.send(.loaded(try await self.loadForecast(city))) }
    /// }
    /// ```
    ///
    /// **Order.** The work begins one hop later. So it never begins before this returns, and never
    /// during a delivery.
    ///
    /// **Cancellation.** Superseded work has no effect through this slot, even if it does not stop
    /// when it is cancelled. Inside it, and inside tasks that it has started, the slot behaves as
    /// after completion. Outputs and actions are dropped with ``BoardEvent/Kind/droppedOutput``,
    /// every other member does nothing, and an error of the work is ignored. So the forecast of the
    /// old city never arrives as the forecast of the new one. If the work has received an
    /// ``Activation`` or a motherboard before, calls of these still have an effect: see ``inner``.
    ///
    /// - Parameter operation: the work; it runs on the motherboard's actor and may use the board
    ///   freely. Unless the board is `@MainActor`, write it **without a capture list**: Swift 6.2
    ///   and 6.3 run a closure with a capture list off its actor (swiftlang/swift#87097). You need
    ///   no capture list, because the task ends with the board.
    /// - Returns: the task, to cancel it earlier or to wait for it.
    @discardableResult
    public func task(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) -> Task<Void, Never> {
        liveBoard.startWork(nil, lasting: .activation, operation)
    }

    /// Starts asynchronous work that replaces earlier work, or that lasts as long as the board.
    ///
    /// Work with a key cancels the board's earlier work with the same key. From then on, the
    /// replaced work has no effect through this slot, even if it does not stop when it is
    /// cancelled. Work that lasts as long as the board continues when the board is activated again.
    /// Examples are a connection and a timer. Apart from that, this is ``task(_:)``.
    ///
    /// ```swift
    /// task(.search) { self.send(.found(try await self.find(text))) }
    ///
    /// task(lasting: .board) {
    ///     for try await message in self.connection { self.send(.received(message)) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the kind of work; the board runs at most one task of a kind at a time. With `nil`,
    ///     the work replaces no other work.
    ///   - lifetime: the part of the board's life that the work belongs to.
    ///   - operation: the work; it runs on the motherboard's actor. Unless the board is
    ///     `@MainActor`, write it **without a capture list**: see ``task(_:)``.
    /// - Returns: the task, to cancel it earlier or to wait for it.
    @discardableResult
    public func task(
        _ key: TaskKey? = nil,
        lasting lifetime: TaskLifetime = .activation,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        liveBoard.startWork(key, lasting: lifetime, operation)
    }

    /// Keeps a component alive until the lifetime of `object` or the board ends.
    ///
    /// Use this for a component that belongs to a window or a session. A component behind a board
    /// has one of four lifecycles. The other three are:
    ///
    /// - There is nothing to manage.
    /// - The board stores the component, and sets the property to `nil` when the component reports
    ///   that it has finished.
    /// - ``pair(with:)`` ends the activation when an object's lifetime ends.
    ///
    /// The component is released when the object's ``Lifetime`` ends, at once or after one hop: see
    /// ``Lifetime/end()``. This does nothing after completion.
    ///
    /// - Parameters:
    ///   - component: the component to keep.
    ///   - object: the object whose lifetime counts; it is not kept alive.
    public func keep(_ component: some AnyObject, for object: some LifetimeOwner) {
        liveBoard.keep(component, for: object.lifetime)
    }

    /// Ends this activation when the lifetime of `object` ends, for example when its screen closes.
    ///
    /// The board completes as ``Completion/cancelled`` when the object's ``Lifetime`` ends, at once
    /// or after one hop: see ``Lifetime/end()``. If the board has been activated again by then, it
    /// stays live. This does nothing after completion.
    ///
    /// - Parameter object: the object whose lifetime counts; it is not kept alive.
    public func pair(with object: some LifetimeOwner) {
        liveBoard.pair(with: object.lifetime)
    }

    /// Pairs with an object, and calls `action` when the board completes, or now if the board has
    /// ended or the caller is work that was superseded or replaced.
    ///
    /// If the motherboard is released without completing, the action is called one hop later. So it
    /// may only capture weak references and values.
    package func pair(with lifetime: Lifetime, atEnd action: @escaping () -> Void) {
        guard liveBoard.obeysCaller else { return action() }
        liveBoard.pair(with: lifetime)
        liveBoard.atEveryEnd(action)
    }
}
