import BackplaneConcurrency

/// A channel from a board to its component, which delivers values to its connections in order.
///
/// A board often does not hold the component that it has created; the screen or a window holds it.
/// The board keeps a bus instead, and connects the component in ``Board/activate(with:)``. The
/// component knows nothing of the bus. It conforms to a plain protocol of its own, by convention
/// named `…Controllable`, and the handler calls the methods of that protocol.
///
/// ```swift
/// @MainActor protocol CourseControllable: AnyObject {
///     func refresh()
/// }
///
/// @MainActor final class CourseBoard: Board {
///     let slot: Slot<Course>
///     private let bus: Bus<Course.Command>
///
///     init(slot: Slot<Course>) {
///         self.slot = slot
///         bus = Bus(for: slot)
///     }
///
///     func activate(with id: Course.ID) {
///         let component: any CourseControllable = makeComponent(id)
///         bus.connect(component) { component, command in
///             switch command { case .refresh: component.refresh() }
///         }
///     }
///
///     func receive(_ command: Course.Command) { bus.send(command) }
/// }
/// ```
///
/// **Order.** Values are delivered one at a time. Each value goes to all connections, in the order
/// they were connected. If a handler sends a value, that value waits until all connections have
/// received the current one. A handler may connect and release targets. A new connection receives
/// the next value and later ones.
///
/// **Lifetime.** The bus holds targets weakly. The first connection that is made in a later
/// activation of the board replaces the connections of the earlier one. After the board's
/// completion nothing arrives.
///
/// **Isolation.** A bus is not `Sendable`; use it on the board's actor.
public final class Bus<Value> {
    private let liveBoard: AnyLiveBoard
    private var connected: [BusConnection<Value>] = []
    private var connectedIn: UInt64 = 0
    private var pending = Queue<Value>()
    private var isSending = false

    /// Creates a bus that lives as long as the board of `slot`.
    public init<Contract>(for slot: Slot<Contract>) {
        liveBoard = slot.liveBoard
        liveBoard.checkOwner()
        liveBoard.atEnd { [weak self] in self?.disconnectAll() }
    }

    deinit {
        // Any thread may release a bus, and the handlers of its connections belong to the owner.
        if connected.isEmpty { return }
        let connections = Connections(connected)
        connected = []
        liveBoard.scheduler.handover.perform { connections.disconnect() }
    }

    /// Sends a value to all connections.
    ///
    /// When this returns, the value has arrived, or waits behind another value that is being
    /// delivered. This does nothing inside work that was superseded or replaced: see
    /// ``Slot/task(_:)``.
    public func send(_ value: Value) {
        guard liveBoard.obeysCaller else { return }
        pending.append(value)
        if isSending { return }
        isSending = true
        defer { isSending = false }
        while let value = pending.popFirst() {
            // A handler may end the board while values are pending; then they are discarded.
            guard liveBoard.isLive else { continue }
            for connection in connected { connection.deliver(value) }
            if connected.contains(where: \.isOver) {
                let before = connected
                connected = before.filter { !$0.isOver }
                // Foreign objects are released only when nothing in the bus is being modified.
                withExtendedLifetime(before) {}
            }
        }
    }

    /// Connects a target, which is held weakly and passed to the handler with each value.
    ///
    /// The connection ends with its target. This does nothing after completion, and inside work
    /// that was superseded or replaced: see ``Slot/task(_:)``. So a component of an earlier
    /// activation never receives the values of a later one.
    ///
    /// - Parameters:
    ///   - target: the receiver of the values.
    ///   - handler: the closure that handles a value.
    public func connect<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target, Value) -> Void) {
        guard liveBoard.obeysCaller else { return }
        let generation = liveBoard.generation
        if connectedIn != generation {
            connectedIn = generation
            disconnectAll()
        }
        // The release of handlers may have ended the board, or activated it again.
        guard liveBoard.isLive, liveBoard.generation == generation else { return }
        connected.append(
            BusConnection { [weak target] value in
                guard let target else { return false }
                handler(target, value)
                return true
            }
        )
    }

    private func disconnectAll() {
        let connections = Connections(connected)
        connected = []
        connections.disconnect()
    }

    /// The connections that a bus has given up.
    private final class Connections {
        private var all: [BusConnection<Value>]

        init(_ all: [BusConnection<Value>]) {
            self.all = all
        }

        func disconnect() {
            let connections = all
            all = []
            for connection in connections { connection.end() }
            withExtendedLifetime(connections) {}
        }
    }
}

/// A connection of a ``Bus`` to one target.
private final class BusConnection<Value> {
    private var deliverIfAlive: ((Value) -> Bool)?

    /// Creates a connection; `deliver` returns `false` once its target is gone.
    init(deliver: @escaping (Value) -> Bool) {
        deliverIfAlive = deliver
    }

    /// Whether the connection has ended, so that it can be removed.
    var isOver: Bool { deliverIfAlive == nil }

    func deliver(_ value: Value) {
        if let deliverIfAlive, !deliverIfAlive(value) { end() }
    }

    func end() {
        // Taken out first, because the release of the handler may call back.
        guard let delivering = deliverIfAlive.take() else { return }
        withExtendedLifetime(delivering) {}
    }
}
