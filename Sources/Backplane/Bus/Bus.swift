/// How a board reaches its component: what is sent on it arrives at those connected, in order.
///
/// A board often does not hold the component it has made; the screen does, or a window. It keeps a bus instead, and connects
/// the component in ``Board/activate(with:)``. The component sees none of this: it conforms to a plain protocol of its own, by
/// custom named `…Controllable`, whose methods the handler calls.
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
/// **Order.** A value reaches everyone connected when its turn comes, in the order of connecting; one sent by a handler waits
/// until all have had the one before. A handler may connect, disconnect and let go of targets: who connects hears
/// from the next value on, who disconnects nothing more.
///
/// **Lifetime.** Targets are held weakly. Connecting in a later activation of the board replaces the connections of the earlier
/// one. After the board's completion nothing arrives and sequences end.
///
/// **Isolation.** Not `Sendable`; it is used on the board's actor.
public final class Bus<Value> {
    private let liveBoard: AnyLiveBoard
    private var connected: [BusConnection<Value>] = []
    private var connectedIn: UInt64 = 0
    private var pending = Queue<Value>()
    private var isSending = false

    /// A bus that lives as long as the board of `slot`.
    public init<Contract>(for slot: Slot<Contract>) {
        liveBoard = slot.liveBoard
        liveBoard.atEnd { [weak self] in self?.disconnectAll() }
    }

    deinit {
        // A board that ends may take its bus along before it is told to disconnect.
        disconnectAll()
    }

    /// Sends a value to everyone connected; returns when it has arrived, or is in line behind one that is on its way.
    ///
    /// Does nothing inside work that was superseded or replaced: see ``Slot/task(_:)``.
    public func send(_ value: Value) {
        guard liveBoard.obeysCaller else { return }
        pending.append(value)
        if isSending { return }
        isSending = true
        defer { isSending = false }
        while let value = pending.popFirst() {
            // A board that goes may still send, before its connections are cut.
            guard liveBoard.isLive else { continue }
            for connection in connected { connection.deliver(value) }
            if connected.contains(where: \.isOver) {
                let before = connected
                connected = before.filter { !$0.isOver }
                // Let go of when nothing here is being changed, as everything that is not the bus's
                // own.
                withExtendedLifetime(before) {}
            }
        }
    }

    /// Connects a target, which is held weakly and given to the handler with each value.
    ///
    /// - Parameters:
    ///   - target: whom the values are for.
    ///   - handler: what to do with a value.
    /// - Returns: the connection, to end it before its target goes; may be ignored.
    @discardableResult
    public func connect<Target: AnyObject>(
        _ target: Target,
        _ handler: @escaping (Target, Value) -> Void
    ) -> BusConnection<Value> {
        add(
            BusConnection { [weak target] value in
                guard let target else { return false }
                handler(target, value)
                return true
            }
        )
    }

    /// The values sent from now on, as an asynchronous sequence that keeps them until they are read.
    ///
    /// Read it once, on the board's actor. It ends with the board, and when a later activation connects.
    public var values: Values {
        let channel = Channel<Value>()
        let connection = BusConnection<Value>(
            deliver: { [weak channel] value in
                guard let channel else { return false }
                channel.send(value)
                return true
            },
            end: { [weak channel] in channel?.finish() }
        )
        _ = add(connection)
        return Values(channel: channel)
    }

    private func add(_ connection: BusConnection<Value>) -> BusConnection<Value> {
        guard liveBoard.isLive else {
            connection.disconnect()
            return connection
        }
        let generation = liveBoard.generation
        if connectedIn != generation {
            connectedIn = generation
            disconnectAll()
        }
        // Handlers let go of may have ended the board, or activated it again.
        guard liveBoard.isLive, liveBoard.generation == generation else {
            connection.disconnect()
            return connection
        }
        connected.append(connection)
        return connection
    }

    private func disconnectAll() {
        let connections = connected
        connected = []
        for connection in connections { connection.disconnect() }
        withExtendedLifetime(connections) {}
    }

    /// What is sent on a bus.
    public struct Values: AsyncSequence {
        /// A value.
        public typealias Element = Value
        /// A bus does not fail.
        public typealias Failure = Never

        fileprivate let channel: Channel<Value>

        /// An iterator over the values that have not been read.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(channel: channel)
        }

        /// Reads values.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let channel: Channel<Value>

            /// The next value; nil at the end, and when the reading task is cancelled.
            public mutating func next() async -> Value? {
                await next(isolation: #isolation)
            }

            /// The next value; nil at the end, and when the reading task is cancelled.
            public mutating func next(isolation: isolated (any Actor)?) async -> Value? {
                // A bus never finishes its channel with an error.
                try? await channel.next(isolation: isolation)
            }
        }
    }
}

/// What ``Bus/connect(_:_:)`` returns, to end the connection.
public final class BusConnection<Value> {
    private var deliverIfAlive: ((Value) -> Bool)?
    private let end: () -> Void

    fileprivate init(deliver: @escaping (Value) -> Bool, end: @escaping () -> Void = {}) {
        deliverIfAlive = deliver
        self.end = end
    }

    fileprivate var isOver: Bool { deliverIfAlive == nil }

    fileprivate func deliver(_ value: Value) {
        if let deliverIfAlive, !deliverIfAlive(value) { disconnect() }
    }

    /// Ends the connection: nothing more arrives.
    ///
    /// Does nothing when it has ended.
    public func disconnect() {
        // Taken out first: letting go of what the handler holds may call back.
        guard let delivering = deliverIfAlive.take() else { return }
        end()
        withExtendedLifetime(delivering) {}
    }
}
