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
/// **Lifetime.** An action continues if the performer is deallocated. To cancel actions when their
/// board ends or is activated again, create the performer with the tasks of the board's slot:
///
/// ```swift
/// let performer = ActionPerformer(startTask: slot.task)
/// ```
@Observable
public final class ActionPerformer {
    /// Whether an action is running.
    public private(set) var isPerforming = false
    /// The error that stopped the last action; `nil` if the action succeeded, was cancelled or is
    /// still running.
    public private(set) var error: (any Error)?

    /// A closure that starts a task on the performer's actor.
    public typealias TaskStart = (nonisolated(nonsending) @escaping () async throws -> Void) -> Task<Void, Never>

    @ObservationIgnored private let startTaskOfOwner: TaskStart?
    /// The number of actions that have started.
    @ObservationIgnored private var count = 0

    /// Creates a performer that runs no action.
    ///
    /// - Parameter startTask: starts the task of each action. It may cancel the task, as
    ///   `slot.task` does when its board ends. It may also not run the action, because the board
    ///   has ended; then nothing happens. By default, nothing cancels an action.
    public init(startTask: TaskStart? = nil) {
        startTaskOfOwner = startTask
    }

    /// Runs an action on the caller's actor, unless another one is running.
    ///
    /// If the compiler does not know the actor of your code, create the performer with the tasks of
    /// its owner: see ``init(startTask:)``. An example is a model of a board on *some* actor.
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
        isolation: isolated (any Actor)? = #isolation
    ) -> Bool {
        guard !isPerforming else { return false }
        isPerforming = true
        error = nil
        count += 1
        let number = count
        let attempt = start(number, action, onError: onError, isolation: isolation)
        // The owner of the tasks drops the action if it has ended.
        if attempt.object == nil { finish(number) }
        return true
    }

    /// Starts the task of an action, and returns an object that exists as long as the action may
    /// still run.
    private func start(
        _ number: Int,
        _ action: nonisolated(nonsending) @escaping () async throws -> Void,
        onError: @escaping (any Error) -> Void,
        isolation: (any Actor)?
    ) -> WeakReference<Attempt> {
        let attempt = Attempt()
        // Not a capture list: a closure with one may run outside the actor of its caller
        // (swiftlang/swift#87097).
        let work =
            {
                _ = attempt
                do {
                    try await action()
                } catch is CancellationError {
                    // The user changed their mind.
                } catch {
                    if self.finish(number, with: error) { onError(error) }
                }
                self.finish(number)
            } as nonisolated(nonsending) () async -> Void
        if let startTaskOfOwner {
            _ = startTaskOfOwner(work)
        } else if let isolation {
            _ = startTask(on: isolation, work)
        } else {
            preconditionFailure(
                """
                An action was performed by code on an actor that the compiler does not know. Create the performer \
                with `startTask`, for example with the tasks of a board's slot.
                """
            )
        }
        return WeakReference(attempt)
    }

    /// Runs an action for a context, unless another action is running.
    ///
    /// The context is held weakly until the action runs.
    ///
    /// The context is usually the screen or the board that owns the performer.
    ///
    /// ```swift
    /// performer.perform(for: self) { screen in
    ///     try await screen.actions.finish(screen, screen.note)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - context: the object that the action receives. If it is released before the action runs,
    ///     nothing happens.
    ///   - action: the action to run.
    ///   - onError: receives the error, in addition to ``error``.
    ///   - isolation: the actor; keep the default.
    /// - Returns: `false` if another action is running, so that this one was ignored.
    @discardableResult
    public func perform<Context: AnyObject>(
        for context: Context,
        _ action: nonisolated(nonsending) @escaping (Context) async throws -> Void,
        onError: @escaping (any Error) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) -> Bool {
        let reference = WeakReference(context)
        return perform(
            {
                guard let context = reference.object else { return }
                try await action(context)
            },
            onError: onError,
            isolation: isolation
        )
    }

    private final class Attempt {}

    @discardableResult
    private func finish(_ number: Int, with error: (any Error)? = nil) -> Bool {
        guard isPerforming, number == count else { return false }
        isPerforming = false
        self.error = error
        return true
    }
}
