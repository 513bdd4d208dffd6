/// The outputs of one activation, as an asynchronous sequence: made by ``Motherboard/outputs(of:with:)``.
///
/// It holds every output from the first on until it is read; read it once, on the motherboard's actor. It ends when the
/// activation does: after completion or supersession, or by throwing what a failed board failed with, or a
/// ``BoardError`` where no board was made or the motherboard ended. Letting go of it ends nothing but the listening.
public struct BoardOutputs<Contract: BoardContract>: AsyncSequence {
    /// An output.
    public typealias Element = Contract.Output
    /// An error that ends the sequence early.
    public typealias Failure = any Error

    /// The activation whose outputs these are.
    public let activation: Activation<Contract>
    // Held here and by the iterator only, so that an activation nobody listens to keeps nothing.
    let listener: Listener<Contract>

    /// An iterator over the outputs that have not been read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(listener: listener)
    }

    /// Reads the outputs of one activation.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let listener: Listener<Contract>

        /// The next output; nil at the end, and when the reading task is cancelled.
        public mutating func next() async throws -> Contract.Output? {
            try await next(isolation: #isolation)
        }

        /// The next output; nil at the end, and when the reading task is cancelled.
        public mutating func next(isolation: isolated (any Actor)?) async throws -> Contract.Output? {
            try await listener.next(isolation: isolation)
        }
    }
}
