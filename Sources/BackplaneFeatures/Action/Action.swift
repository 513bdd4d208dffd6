/// A function type for something that a user can do on a screen.
///
/// A screen declares its actions, and the code that assembles the app provides the functions. So
/// the screen does not depend on a database, a network or another screen, and a test passes
/// functions that record their calls.
///
/// The *context* is the object for which the action is performed. It gives the function everything
/// that the function needs, for example to close the screen or to ask a question.
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
/// **Errors.** A synchronous action throws nothing. An asynchronous action throws the error that
/// stopped it. If the user changed their mind, there is no result, and it throws
/// `CancellationError`. Show an error to the user, but change nothing after a `CancellationError`.
///
/// Source: the actions of view controllers, as John Sundell extracts them in "Extracting view
/// controller actions in Swift".
public enum Action<Context, Input, Output> {
    /// An action that is finished when it returns.
    public typealias Sync = (Context, Input) -> Output

    /// An action that takes time, such as a question to the user or a request to a server.
    public typealias Async = (Context, Input) async throws -> Output
}

extension Action {
    /// Returns an action that notifies `observer` each time it is performed.
    ///
    /// Use it for logs and analytics; the action itself does not change:
    ///
    /// ```swift
    /// let cancel = Action.observed(discard) { draft, end in
    ///     if end == nil { journal.append("cancel") }
    /// }
    /// ```
    ///
    /// `observer` is called twice for each run, on the actor that the action runs on: without a
    /// result before the run, and with its result after it. Inputs and outputs may contain private
    /// data of the user, so log them with care.
    public static func observed(
        _ action: @escaping Sync,
        by observer: @escaping (Input, Result<Output, any Error>?) -> Void
    ) -> Sync {
        { context, input in
            observer(input, nil)
            let output = action(context, input)
            observer(input, .success(output))
            return output
        }
    }

    /// Returns an action that notifies `observer` each time it is performed, and when the action
    /// ends.
    ///
    /// The calls of `observer` are the same as for the other function of this name. The error of
    /// the action is thrown again unchanged. A `CancellationError` means that nothing went wrong.
    public static func observed(
        _ action: @escaping Async,
        by observer: @escaping (Input, Result<Output, any Error>?) -> Void
    ) -> Async {
        { context, input in
            observer(input, nil)
            do {
                let output = try await action(context, input)
                observer(input, .success(output))
                return output
            } catch {
                observer(input, .failure(error))
                throw error
            }
        }
    }
}
