/// The meaning of activating a task board while it is at work.
///
/// Given to `registerTask` of a ``Motherboard``.
///
/// Generic over the board's input, because `join` compares inputs. Callers write no more than the
/// name:
///
/// ```swift
/// motherboard.registerTask(.export, .queue) { course, slot in … }
/// motherboard.registerTask(.profile, .join) { user, slot in … }
/// ```
public struct TaskStrategy<Input>: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case concurrent(limit: Int)
        case queue
        case latest
        case exclusive
        case join
    }

    let kind: Kind

    /// Works on all at once; beyond `limit` at a time, activations wait for their turn in order.
    public static func concurrent(limit: Int = .max) -> Self { Self(kind: .concurrent(limit: limit)) }

    /// Works on one at a time, in order.
    public static var queue: Self { Self(kind: .queue) }

    /// Cancels the earlier one.
    public static var latest: Self { Self(kind: .latest) }

    /// Refuses the later one, which completes as failed with ``BoardError/Code-swift.struct/busy``.
    public static var exclusive: Self { Self(kind: .exclusive) }
}

extension TaskStrategy where Input: Equatable {
    /// Does the work once for all activations with the same input.
    ///
    /// An activation whose input equals that of one at work does no work of its own. It completes
    /// with the same output, or fails with the same error, as the one at work: right after it, in
    /// the order of activation. Different inputs are worked on at the same time.
    ///
    /// **Progress.** Outputs sent before the last one reach only the activation at work.
    ///
    /// **Cancellation.** An activation that completes early leaves the others alone. If it is the
    /// one at work, its work is cancelled, and the next activation that is still live does the work
    /// from the start at once; the others join that one.
    public static var join: Self { Self(kind: .join) }
}

extension TaskStrategy where Input == Void {
    /// Does the work once for all activations, which need no input.
    public static var join: Self { Self(kind: .join) }
}
