/// Something that can be done in one place of an app, as a plain function: a screen declares which there are, and whoever
/// assembles the app says what they do.
///
/// The context is the place where it is done: whatever the function may need of it, to close it or to ask a question there. The
/// screen itself needs to know no database, no network and no other screen, and a test passes functions that take notes.
///
/// ```swift
/// final class ComposerScreen {
///     typealias Actions = (
///         addRecipient: Action<ComposerScreen, Letter, Letter>.Async,
///         finish: Action<ComposerScreen, Letter, Void>.Async,
///         cancel: Action<ComposerScreen, Letter, Void>.Sync
///     )
/// }
/// ```
///
/// **Isolation.** Both kinds run on the caller's actor.
///
/// **Errors.** A synchronous action throws nothing. An asynchronous one throws what kept it from its end, and `CancellationError`
/// when the person has changed their mind, so that there is no result: show the former, and leave all as it was after the latter.
///
/// Source: the actions of view controllers, as John Sundell extracts them in "Extracting view controller actions in Swift".
public enum Action<Context, Input, Output> {
    /// An action that is done when it returns.
    public typealias Sync = (Context, Input) -> Output

    /// An action that takes its time: a question to a person, a request to a server.
    public typealias Async = (Context, Input) async throws -> Output
}

/// What happens to an action that is observed.
public enum ActionEvent<Input, Output> {
    /// It begins, with this input.
    case started(Input)
    /// It has returned this.
    case finished(Output)
    /// It has thrown `CancellationError`: there is no result, and nothing went wrong.
    case dismissed
    /// It has thrown this.
    case failed(any Error)
}

extension ActionEvent: Sendable where Input: Sendable, Output: Sendable {}

extension Action {
    /// The action, telling `observer` of each time that it is performed.
    ///
    /// For logging and analytics around an action, which stays as it is:
    ///
    /// ```swift
    /// let cancel = Action.observed(discard) { event in journal.append("cancel: \(event)") }
    /// ```
    ///
    /// `observer` is called twice each time, on the actor that the action runs on: with `started` before it, and with
    /// `finished` after it. Inputs and outputs are the person's own: mind what is written to a log.
    public static func observed(
        _ action: @escaping Sync,
        by observer: @escaping (ActionEvent<Input, Output>) -> Void
    ) -> Sync {
        { context, input in
            observer(.started(input))
            let output = action(context, input)
            observer(.finished(output))
            return output
        }
    }

    /// The action, telling `observer` of each time that it is performed, and of how that ends.
    ///
    /// `observer` is called twice each time, on the actor that the action runs on: with `started` before it, and after it with
    /// `finished`, `dismissed` or `failed`. The error is thrown on as it is.
    public static func observed(
        _ action: @escaping Async,
        by observer: @escaping (ActionEvent<Input, Output>) -> Void
    ) -> Async {
        { context, input in
            observer(.started(input))
            do {
                let output = try await action(context, input)
                observer(.finished(output))
                return output
            } catch {
                observer(error is CancellationError ? .dismissed : .failed(error))
                throw error
            }
        }
    }
}
