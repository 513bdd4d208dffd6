/// The effect of activating a task board while other activations of it are running.
///
/// Pass a strategy to `registerTask` of a ``Motherboard``. The type is generic over the board's
/// input, because `join` compares inputs. Callers write only the name:
///
/// ```swift
/// motherboard.registerTask(Export.id, .queue) { course, slot in … }
/// motherboard.registerTask(Profile.id, .join) { user, slot in … }
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

    /// Runs up to `limit` activations at a time; the others wait in order.
    public static func concurrent(limit: Int = .max) -> Self { Self(kind: .concurrent(limit: limit)) }

    /// Runs one activation at a time, in order.
    public static var queue: Self { Self(kind: .queue) }

    /// Cancels the previous activation.
    public static var latest: Self { Self(kind: .latest) }

    /// Refuses the new activation, which fails with ``BoardError/Code-swift.struct/busy``.
    public static var exclusive: Self { Self(kind: .exclusive) }
}

extension TaskStrategy where Input: Equatable {
    /// Does the work once for all activations with the same input.
    ///
    /// If the input of a new activation equals the input of a running one, the new activation does
    /// no work of its own. It completes with the same output, or fails with the same error, as the
    /// running one. This happens right after the running one ends, in the order of activation.
    /// Activations with different inputs run at the same time.
    ///
    /// **Progress.** Outputs before the last one reach only the activation that does the work.
    ///
    /// **Cancellation.** An activation that completes early does not affect the others. If it was
    /// doing the work, its work is cancelled. The next activation that is still live then restarts
    /// the work at once, and the others join it.
    public static var join: Self { Self(kind: .join) }
}

extension TaskStrategy where Input == Void {
    /// Does the work once for all activations, which need no input.
    public static var join: Self { Self(kind: .join) }
}
