/// The outputs of one activation as an asynchronous sequence.
///
/// ``Motherboard/outputs(of:with:)`` creates the sequence. It keeps every output until you read it.
/// Read it once, on the motherboard's actor.
///
/// The sequence ends when the activation completes or is superseded. It throws the error of a board
/// that failed. It throws a ``BoardError`` if no board was made or the motherboard is gone. It
/// throws a `CancellationError` if the motherboard completes. Releasing the sequence only stops the
/// reading; the board stays live.
public struct BoardOutputs<Contract: BoardContract>: AsyncSequence {
    /// The activation that sends these outputs.
    public let activation: Activation<Contract>
    // Held only here and by the iterator, so that an activation without a reader keeps no outputs.
    let listener: Listener<Contract>

    /// Returns an iterator over the outputs that were not read yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(listener: listener)
    }

    /// An iterator over the outputs of one activation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let listener: Listener<Contract>

        /// Returns the next output, or `nil` at the end or if the reading task is cancelled.
        public mutating func next() async throws -> Contract.Output? {
            try await next(isolation: #isolation)
        }

        /// Returns the next output, or `nil` at the end or if the reading task is cancelled.
        public mutating func next(isolation: isolated (any Actor)?) async throws -> Contract.Output? {
            try await listener.next(isolation: isolation)
        }
    }
}
