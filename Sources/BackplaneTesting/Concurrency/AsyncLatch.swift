/// A door that asynchronous code waits at until a test opens it.
///
/// It lets a test hold an operation in the middle (a load that has started and not ended) and know that it is there,
/// without sleeping. Opened, it stays open. Safe to use from any thread.
///
/// ```swift
/// let gate = AsyncLatch()
/// let load = Task { await gate.wait(); return 42 }
/// await gate.arrivals(atLeast: 1)   // the load is now waiting
/// gate.open()
/// #expect(await load.value == 42)
/// ```
public final class AsyncLatch: Sendable {
    private let arrived = Tally()
    private let opened = Tally()

    /// A closed gate.
    public init() {}

    /// Suspends until the gate is open.
    ///
    /// Ignores cancellation on purpose, so that a test can look at code that does not stop when it is told to.
    public func wait() async {
        arrived.add()
        await opened.reachRegardless(1)
    }

    /// Suspends until the gate is open, or the task is cancelled.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before the gate opens.
    public func waitUnlessCancelled() async throws {
        arrived.add()
        if await opened.reach(1) == .cancelled { throw CancellationError() }
    }

    /// Opens the gate for good and lets everyone through who waits, in the order of arrival.
    public func open() {
        opened.add()
    }

    /// Suspends until at least `count` calls have come to wait at the gate, ended ones included.
    public func arrivals(atLeast count: Int) async {
        await arrived.reachRegardless(count)
    }
}
