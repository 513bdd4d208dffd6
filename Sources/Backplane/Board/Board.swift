/// A microsystem: one component of business logic with a typed input, plugged into a ``Motherboard``.
///
/// The component behind a board (an MVVM screen, a class, one function) is hidden from other boards. A board may be a class
/// or a struct. It lives on the actor of its motherboard and is called there only, synchronously. A board on the main actor
/// is marked `@MainActor`. An `actor` cannot be a board, because its methods could not be called synchronously.
///
/// A board is made when it is first activated, and lives until it completes or its motherboard ends. Activating a live
/// board again calls ``activate(with:)`` on it again.
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
    /// The types of the board's input, outputs and commands; inferred from ``slot``.
    associatedtype Contract: BoardContract

    /// The board's only way to the rest of the app; given to it when it is made.
    var slot: Slot<Contract> { get }

    /// Starts the board's work, or starts it anew with other input.
    ///
    /// Called synchronously by the activation. Outputs sent from here are delivered after it returns.
    func activate(with input: Contract.Input)

    /// Obeys a command. Called synchronously by the sender, while the board is live.
    func receive(_ command: Contract.Command)

    /// Reacts to the end of the board, so that a screen can leave with it. Does nothing unless implemented.
    ///
    /// Called once, synchronously, however the board ended: by itself, from outside, with its motherboard or with a paired
    /// object. The board has been removed by then, and the boards inside it have ended. Its slot does nothing any more.
    /// Completion flows run later, in order. Not called when the motherboard is released without
    /// ``Motherboard/complete()``.
    func didEnd(_ completion: Completion)
}

extension Board {
    /// Does nothing.
    public func didEnd(_ completion: Completion) {}
}

extension Board where Contract.Command == Never {
    /// A contract without commands needs no code.
    public func receive(_ command: Never) {}
}

// What a board says most, without the detour over `slot`.
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
    /// On an actor of your own, write the work without a capture list.
    @discardableResult
    public func task(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) -> Task<Void, Never> {
        slot.task(operation)
    }

    /// Starts work that ends with this activation or with the board: see ``Slot/task(lasting:_:)``.
    @discardableResult
    public func task(
        lasting lifetime: TaskLifetime,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        slot.task(lasting: lifetime, operation)
    }

    /// Starts work that replaces earlier work of the same key: see ``Slot/task(_:lasting:_:)``.
    @discardableResult
    public func task(
        _ key: TaskKey,
        lasting lifetime: TaskLifetime = .activation,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        slot.task(key, lasting: lifetime, operation)
    }

    /// Keeps a component for as long as an object lives and the board stays: see ``Slot/keep(_:for:)``.
    public func keep(_ component: some AnyObject, for object: some LifetimeOwner) {
        slot.keep(component, for: object)
    }

    /// Ends this activation when an object goes: see ``Slot/pair(with:)``.
    public func pair(with object: some LifetimeOwner) {
        slot.pair(with: object)
    }
}
