import BackplaneConcurrency

/// Values on their way to an asynchronous reader, in order, none lost.
///
/// Not `Sendable`: written and read on one actor, by one reader. Reading keeps it: it may be held weakly by who writes.
class Channel<Element> {
    private enum State {
        case open
        case finished((any Error)?)
    }

    /// The oldest value: most channels never have two.
    private var oldest: Element?
    /// The values behind the oldest one.
    private var elements = Queue<Element>()
    private var state = State.open
    /// Made by the first reader that has to wait: most find what they read.
    private var signal: Signal?

    /// Adds a value, unless the channel is finished.
    final func send(_ element: Element) {
        guard case .open = state else { return }
        if oldest == nil, elements.count == 0 { oldest = element } else { elements.append(element) }
        signal?.wake()
    }

    /// Ends the channel, behind what is in it, with an error or without; a second end does nothing.
    final func finish(throwing error: (any Error)? = nil) {
        guard case .open = state else { return }
        state = .finished(error)
        signal?.wake()
    }

    /// The next value; nil at the end, and when the waiting task is cancelled.
    ///
    /// The error that the channel was finished with is thrown once.
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
