import BackplaneConcurrency

/// A door that asynchronous code waits at until a test opens it.
///
/// It lets a test hold an operation in the middle (a load that has started and not ended) and know that it is there,
/// without sleeping. Opened, it stays open. Safe to use from any thread; waiting ignores cancellation on purpose, so that a
/// test can look at code that does not stop when it is told to.
///
/// ```swift
/// let gate = AsyncGate()
/// let load = Task { await gate.wait(); return 42 }
/// await gate.arrivals(atLeast: 1)   // the load is now waiting
/// gate.open()
/// #expect(await load.value == 42)
/// ```
public final class AsyncGate: Sendable {
    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [Watcher] = []
    }

    private let state = Locked(State())

    /// A closed gate.
    public init() {}

    /// Suspends until the gate is open.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let resumed: [CheckedContinuation<Void, Never>] = state.withLock { state in
                state.arrivals += 1
                let arrivals = state.arrivals
                var resumed = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
                state.watchers.removeAll { $0.count <= arrivals }
                if state.isOpen { resumed.append(continuation) } else { state.waiting.append(continuation) }
                return resumed
            }
            for continuation in resumed { continuation.resume() }
        }
    }

    /// Opens the gate for good and lets everyone through who waits, in the order of arrival.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Suspends until at least `count` calls of ``wait()`` have been made, ended ones included.
    public func arrivals(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isSatisfied = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isSatisfied { continuation.resume() }
        }
    }
}
