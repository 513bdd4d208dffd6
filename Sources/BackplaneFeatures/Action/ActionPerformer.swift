internal import BackplaneConcurrency
public import Observation

/// An observable runner of actions that take time, one at a time.
///
/// A screen with an asynchronous action disables its button while the action runs, ignores a second
/// tap, and shows the error if the action fails. A performer does this for all actions that must
/// not run at the same time.
///
/// ```swift
/// performer.perform { try await actions.finish(self, note) }
/// ```
///
/// In SwiftUI, `ActionButton` of `BackplaneSwiftUI` is a button with a performer of its own. Use a
/// performer directly in a model, in UIKit, or if several buttons must not act at the same time.
///
/// **Isolation.** A performer is not `Sendable`. It belongs to the actor that uses it, and the
/// actions run there.
///
/// **Order.** ``isPerforming`` is `true` when ``perform(_:onError:isolation:)`` returns. While an
/// action runs, another one is ignored.
///
/// **Errors.** `CancellationError` means that the user changed their mind, so it is no failure. Any
/// other error is in ``error`` until the next action starts.
///
/// **Lifetime.** An action continues if the performer is deallocated.
@Observable
public final class ActionPerformer {
    /// Whether an action is running.
    public private(set) var isPerforming = false
    /// The error that stopped the last action; `nil` if it succeeded, was cancelled or still runs.
    public private(set) var error: (any Error)?

    /// Creates a performer that runs no action.
    public init() {}

    /// Runs an action on the caller's actor, unless another one is running.
    ///
    /// - Parameters:
    ///   - action: the action to run.
    ///   - onError: receives the error, in addition to ``error``.
    ///   - isolation: the actor; keep the default.
    /// - Returns: `false` if another action is running, so that this one was ignored.
    @discardableResult
    public func perform(
        _ action: nonisolated(nonsending) @escaping () async throws -> Void,
        onError: @escaping (any Error) -> Void = { _ in },
        isolation: isolated any Actor = #isolation
    ) -> Bool {
        guard !isPerforming else { return false }
        isPerforming = true
        error = nil
        _ = startTask(on: isolation) {
            do {
                try await action()
            } catch is CancellationError {
                // The user changed their mind.
            } catch {
                self.error = error
                onError(error)
            }
            self.isPerforming = false
        }
        return true
    }
}
