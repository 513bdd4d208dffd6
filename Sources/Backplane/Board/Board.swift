/// A microsystem: one component of business logic with a typed input, plugged into a
/// ``Motherboard``.
///
/// A board hides the component behind it (an MVVM screen, a class, one function) from other boards.
/// A board is a class or a struct.
///
/// **Isolation.** A board lives on the actor of its motherboard, and only that actor calls it,
/// synchronously. Mark a board on the main actor with `@MainActor`. An `actor` cannot be a board,
/// because its methods cannot be called synchronously.
///
/// **Lifetime.** The first activation creates the board. The board lives until it completes or its
/// motherboard ends. Activating a live board again calls ``activate(with:)`` on the same board.
///
/// ```swift
/// @MainActor final class DashboardBoard: Board {
///     let slot: Slot<Dashboard>
///     init(slot: Slot<Dashboard>) { self.slot = slot }
///
///     func activate(with user: User.ID) { task { await self.load(user) } }
///     func receive(_ command: Dashboard.Command) { … }
/// }
/// ```
public protocol Board<Contract> {
    /// The types of the board's input, outputs and commands, inferred from ``slot``.
    associatedtype Contract: BoardContract

    /// The board's only connection to the rest of the app, which the board receives when it is
    /// created.
    var slot: Slot<Contract> { get }

    /// Starts the board's work, or restarts it with another input.
    ///
    /// The activation calls this synchronously. Outputs that this method sends are delivered after
    /// it returns.
    func activate(with input: Contract.Input)

    /// Handles a command.
    ///
    /// The sender calls this synchronously, while the board is live.
    func receive(_ command: Contract.Command)

    /// Reacts to the end of the board, for example to close its screen.
    ///
    /// The default implementation does nothing. This is called once and synchronously, for every
    /// kind of end: the board ends itself, or it ends from outside, with its motherboard or with a
    /// paired object. At this point the board is already removed, and the boards inside it have
    /// ended. Its slot no longer does anything. Completion flows run later, in order. If the board
    /// ends in its own initializer, this is called after the initializer, and ``activate(with:)``
    /// is not called. This is not called if the motherboard is released without
    /// ``Motherboard/complete()``.
    func didEnd(_ completion: Completion)
}

extension Board {
    /// Does nothing.
    public func didEnd(_ completion: Completion) {}
}

extension Board where Contract.Command == Never {
    /// Does nothing, because a contract without commands has none to handle.
    public func receive(_ command: Never) {}
}

// Shortcuts for the members of `slot` that a board uses most.
extension Board {
    /// The board's own nested motherboard: see ``Slot/inner``.
    public var inner: Motherboard { slot.inner }

    /// Sends an output to the motherboard: see ``Slot/send(_:)``.
    public func send(_ output: Contract.Output) {
        slot.send(output)
    }

    /// Sends a command to a live sibling: see ``Slot/send(_:to:)``.
    @discardableResult
    public func send<Other>(_ command: Other.Command, to id: BoardID<Other>) -> CommandResult {
        slot.send(command, to: id)
    }

    /// Sends an action up the chain of motherboards: see ``Slot/sendAction(_:)``.
    public func sendAction(_ action: some BoardFlowAction) {
        slot.sendAction(action)
    }

    /// Activates a sibling: see ``Slot/nextToBoard(_:with:)``.
    @discardableResult
    public func nextToBoard<Other>(_ id: BoardID<Other>, with input: Other.Input) -> Activation<Other> {
        slot.nextToBoard(id, with: input)
    }

    /// Activates a sibling that needs no input: see ``Slot/nextToBoard(_:with:)``.
    @discardableResult
    public func nextToBoard<Other>(_ id: BoardID<Other>) -> Activation<Other> where Other.Input == Void {
        slot.nextToBoard(id, with: ())
    }

    /// Ends the board: see ``Slot/complete(_:)``.
    public func complete(_ completion: Completion = .done) {
        slot.complete(completion)
    }

    /// Starts work that ends with this activation: see ``Slot/task(_:)``.
    ///
    /// If the board is not on the main actor, write the closure without a capture list.
    @discardableResult
    public func task(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) -> Task<Void, Never> {
        slot.task(operation)
    }

    /// Starts work that replaces earlier work with the same key, or that lasts as long as the
    /// board: see ``Slot/task(_:lasting:_:)``.
    @discardableResult
    public func task(
        _ key: TaskKey? = nil,
        lasting lifetime: TaskLifetime = .activation,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        slot.task(key, lasting: lifetime, operation)
    }

    /// Keeps a component until an object's lifetime or the board ends: see ``Slot/keep(_:for:)``.
    public func keep(_ component: some AnyObject, for object: some LifetimeOwner) {
        slot.keep(component, for: object)
    }

    /// Ends this activation when an object's lifetime ends: see ``Slot/pair(with:)``.
    public func pair(with object: some LifetimeOwner) {
        slot.pair(with: object)
    }
}
