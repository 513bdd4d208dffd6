internal import BackplaneConcurrency

/// An asynchronous action that can be repeated safely, because each repetition has the same key.
///
/// If the response to a purchase is lost, the server may have accepted it. The user then tries
/// again. This type keeps one idempotency key for each input until the action has succeeded or was
/// definitely refused. So the server recognizes the second try. After a try without a response, a
/// status such as 409 does not count as a refusal, because the first request may still be in
/// progress. In this case, the action throws the error of the first try again.
///
/// ```swift
/// let purchase = IdempotentAction<Product.ID, Purchase> { product, key in
///     try await shop.purchase(product, key: key)
/// }
/// let receipt = try await purchase(id)
/// ```
///
/// **Order.** A call for an input that is under way, such as a second tap, joins it and has its
/// result. If the first call is cancelled, the call that joined it performs the action with the
/// same key. A call from the closure itself does not join, because it would wait for itself.
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

    /// A try that is under way, for the calls that join it.
    private final class Try {
        let end = Waiters()
        /// Its result; `nil` if its caller was cancelled.
        var result: Result<Output, any Error>?
    }

    /// The inputs whose outcome is not known.
    private var unfinished: [Input: Attempt] = [:]
    private var running: [Input: Try] = [:]

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - isRejection: whether an error says that the server refused the action and did not carry
    ///     it out, as for ``RecordStore``.
    ///   - send: performs the action; the server must carry out requests with the same key only
    ///     once.
    public init(
        isRejection: ((any Error) -> Bool)? = nil,
        _ send: @escaping (Input, IdempotencyKey) async throws -> Output
    ) {
        self.isRejection = isRejection ?? { $0.isKnownRejection }
        self.send = send
    }

    /// Performs the action with the key of `input`, or joins a call that is already performing it.
    ///
    /// - Throws: the error of the closure. If an earlier try has an unknown outcome and the closure
    ///   throws a rejection that says nothing about that try, the error of the earlier try.
    ///   `CancellationError` if the caller is cancelled while it waits for the joined call.
    public func callAsFunction(_ input: Input) async throws -> Output {
        while let joined = running[input] {
            if CurrentTries.all.contains(ObjectIdentifier(joined)) { return try await perform(input) }
            await joined.end.wait()
            try Task.checkCancellation()
            if let result = joined.result { return try result.get() }
        }
        let own = Try()
        running[input] = own
        defer {
            running[input] = nil
            own.end.resumeAll()
        }
        do {
            let output = try await CurrentTries.$all.with(CurrentTries.all + [ObjectIdentifier(own)]) {
                try await perform(input)
            }
            own.result = .success(output)
            return output
        } catch {
            // No other caller may perform what is known to be over.
            if !Task.isCancelled || unfinished[input] == nil { own.result = .failure(error) }
            throw error
        }
    }

    private func perform(_ input: Input) async throws -> Output {
        var attempt = unfinished[input] ?? Attempt()
        let isFirst = attempt.entry.begin()
        unfinished[input] = attempt
        do {
            let output = try await send(input, attempt.key)
            unfinished[input] = nil
            return output
        } catch {
            let isRejection = isRejection(error)
            let isCarriedOut = attempt.entry.end(with: error, isFirst: isFirst, isRejection: isRejection)
            // A success without a readable output keeps its key, because its caller may try again.
            let isOver = isRejection && (isCarriedOut || attempt.entry.state.hasFailed)
            if !isRejection, attempt.entry.firstSentAt != nil { attempt.lost = attempt.lost ?? error }
            unfinished[input] = isOver ? nil : attempt
            // N23: A rejection of this try alone must not hide that the outcome is unknown.
            throw isRejection && !isOver ? attempt.lost ?? error : error
        }
    }
}

/// The tries whose closures the current task runs.
private enum CurrentTries {
    @TaskLocal static var all: [ObjectIdentifier] = []
}
