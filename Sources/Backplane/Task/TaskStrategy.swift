/// What a task board, made by `registerTask` of a ``Motherboard``, does when it is activated while it is at work.
public enum TaskStrategy: Hashable, Sendable {
    /// Works on both at once; beyond `limit` at a time, activations wait for their turn in order.
    case concurrent(limit: Int = .max)
    /// Works on one at a time, in order.
    case queue
    /// Cancels the earlier one.
    case latest
    /// Refuses the later one, which completes as failed with ``BoardError/Code-swift.struct/busy``.
    case exclusive
}
