import BackplaneConcurrency

/// Values on their way to an asynchronous reader, in order, none lost.
///
/// Not `Sendable`: written and read on one actor.
final class Channel<Element> {
    private enum State {
        case open
        case finished((any Error)?)
    }

    private var elements = Queue<Element>()
    private var state = State.open
    private let waiters = Waiters()

    /// Adds a value, unless the channel is finished.
    func send(_ element: Element) {
        guard case .open = state else { return }
        elements.append(element)
        waiters.resumeAll()
    }

    /// Ends the channel, behind what is in it, with an error or without; a second end does nothing.
    func finish(throwing error: (any Error)? = nil) {
        guard case .open = state else { return }
        state = .finished(error)
        waiters.resumeAll()
    }

    /// The next value; nil at the end, and when the waiting task is cancelled.
    ///
    /// The error that the channel was finished with is thrown once.
    func next(isolation: isolated (any Actor)?) async throws -> Element? {
        while true {
            if let element = elements.popFirst() { return element }
            if case .finished(let error) = state {
                state = .finished(nil)
                if let error { throw error }
                return nil
            }
            if Task.isCancelled { return nil }
            await waiters.wait(isolation: isolation)
        }
    }
}
