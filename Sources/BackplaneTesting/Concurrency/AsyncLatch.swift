/// A one-time latch: asynchronous code waits at it until a test opens it.
///
/// A test uses it to hold an operation in the middle, for example a load that has started but not
/// ended. The test also learns that the operation is waiting, without sleeping. An open latch stays
/// open. It is safe to use from any thread.
///
/// ```swift
/// let latch = AsyncLatch()
/// let load = Task { await latch.wait(); return 42 }
/// await latch.arrivals(atLeast: 1)   // the load is now waiting
/// latch.open()
/// #expect(await load.value == 42)
/// ```
public final class AsyncLatch: Sendable {
    private let arrived = Tally()
    private let opened = Tally()

    /// Creates a closed latch.
    public init() {}

    /// Suspends until the latch is open.
    ///
    /// The wait ignores cancellation. So a test can check code that does not stop when it is
    /// cancelled.
    public func wait() async {
        arrived.add()
        await opened.reachRegardless(1)
    }

    /// Suspends until the latch is open or the task is cancelled.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the latch opens.
    public func waitUnlessCancelled() async throws {
        arrived.add()
        if await opened.reach(1) == .cancelled { throw CancellationError() }
    }

    /// Opens the latch permanently and resumes all waiting calls, in the order of their arrival.
    public func open() {
        opened.add()
    }

    /// Suspends until at least `count` calls have arrived at the latch, including calls that have
    /// ended.
    ///
    /// The method also returns when the calling task is cancelled, for example by the test's time
    /// limit.
    public func arrivals(atLeast count: Int) async {
        _ = await arrived.reach(count)
    }
}
