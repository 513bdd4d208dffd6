import BackplaneConcurrency

/// A queue of values for one asynchronous reader, which keeps their order and loses none.
///
/// Not `Sendable`: it is written and read on one actor, by one reader. Reading keeps the channel
/// alive, so the writer may hold it weakly.
class Channel<Element> {
    private enum State {
        case open
        case finished((any Error)?)
    }

    /// The oldest value, stored apart because most channels never have two.
    private var oldest: Element?
    /// The values after the oldest one.
    private var elements = Queue<Element>()
    private var state = State.open
    /// Created by the first reader that must wait, because most readers find a value.
    private var signal: Signal?

    /// Adds a value, unless the channel is finished.
    final func send(_ element: Element) {
        guard case .open = state else { return }
        if oldest == nil, elements.count == 0 { oldest = element } else { elements.append(element) }
        signal?.wake()
    }

    /// Ends the channel after the values that it contains, with or without an error.
    ///
    /// A second call does nothing.
    final func finish(throwing error: (any Error)? = nil) {
        guard case .open = state else { return }
        state = .finished(error)
        signal?.wake()
    }

    /// Returns the next value, or `nil` at the end or if the waiting task is cancelled.
    ///
    /// If the channel was finished with an error, throws that error once, then returns `nil`.
    final func next(isolation: isolated (any Actor)?) async throws -> Element? {
        while true {
            if let element = oldest.take() ?? elements.popFirst() { return element }
            if case .finished(let error) = state {
                state = .finished(nil)
                if let error { throw error }
                return nil
            }
            if Task.isCancelled { return nil }
            let signal = signal ?? Signal()
            self.signal = signal
            await signal.wait(isolation: isolation)
        }
    }
}
