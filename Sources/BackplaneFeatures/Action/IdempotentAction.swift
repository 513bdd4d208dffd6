/// An asynchronous action that can be repeated safely, because each repetition has the same key.
///
/// If the response to a purchase is lost, the server may have accepted it. The user then tries
/// again. This type keeps one idempotency key for each input until the action has succeeded or was
/// definitely refused. So the server recognizes the second try. After a try without a response,
/// a status such as 409 is no definite refusal, because the first request may still be in progress.
/// Then the action throws the error of the first try again.
///
/// ```swift
/// let purchase = IdempotentAction<Product.ID, Purchase> { product, key in
///     try await shop.purchase(product, key: key)
/// }
/// let receipt = try await purchase(id)
/// ```
///
/// **Isolation.** It is not `Sendable`. It belongs to the actor that uses it, and the closure runs
/// there.
///
/// **Lifetime.** Keys are in memory only. A new process has new keys.
public final class IdempotentAction<Input: Hashable, Output> {
    private let send: (Input, IdempotencyKey) async throws -> Output
    private let isRejection: (any Error) -> Bool
    /// The key of an input, and what is known about the attempts with it (U7).
    private struct Attempt {
        let key = IdempotencyKey()
        var entry = ChangeEntry()
        /// The error of the first try whose outcome is unknown.
        var lost: (any Error)?
    }

    /// The inputs whose outcome is not known.
    private var unfinished: [Input: Attempt] = [:]

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - isRejection: whether an error says that the server refused and did not carry out the
    ///     action, as for ``RecordStore``.
    ///   - send: performs the action; the server must carry out requests with the same key only
    ///     once.
    public init(
        isRejection: ((any Error) -> Bool)? = nil,
        _ send: @escaping (Input, IdempotencyKey) async throws -> Output
    ) {
        self.isRejection = isRejection ?? { $0.isKnownRejection }
        self.send = send
    }

    /// Performs the action with the key of `input`.
    ///
    /// - Throws: the error of the closure, or that of an earlier try whose outcome is unknown, if
    ///   the closure throws a rejection that says nothing about it.
    public func callAsFunction(_ input: Input) async throws -> Output {
        var attempt = unfinished[input] ?? Attempt()
        let isFirst = attempt.entry.begin()
        unfinished[input] = attempt
        do {
            let output = try await send(input, attempt.key)
            if unfinished[input]?.key == attempt.key { unfinished[input] = nil }
            return output
        } catch {
            throw end(attempt, of: input, with: error, isFirst: isFirst)
        }
    }

    /// Notes the error of a try, unless another call has replaced its key, and returns the error to
    /// throw.
    private func end(_ attempt: Attempt, of input: Input, with error: any Error, isFirst: Bool) -> any Error {
        // The app's closure may call this action.
        let isRejection = isRejection(error)
        guard var known = unfinished[input], known.key == attempt.key else { return error }
        // D27: The error may be about another try that has begun meanwhile.
        let isAlone = isFirst && known.entry.attempts == attempt.entry.attempts
        let isCarriedOut = known.entry.end(with: error, isFirst: isAlone, isRejection: isRejection)
        // A success without a readable output keeps its key, because its caller may try again.
        let isOver = isRejection && (isCarriedOut || known.entry.state.hasFailed)
        if !isRejection, known.entry.firstSentAt != nil { known.lost = known.lost ?? error }
        unfinished[input] = isOver ? nil : known
        // N23: A rejection of this try alone must not hide that the outcome is unknown.
        return isRejection && !isOver ? known.lost ?? error : error
    }
}
