internal import BackplaneConcurrency

/// An asynchronous action that can be repeated safely, because each repetition has the same key.
///
/// If the response to a purchase is lost, the server may have accepted it. The user then tries
/// again. This type keeps one idempotency key for each input until the action has succeeded or was
/// definitely refused. So the server recognizes the second try. After a try without a response,
/// a status such as 409 is no definite refusal, because the first request may still be in progress.
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
    /// The keys of the inputs whose outcome is not known.
    private var keys: [Input: IdempotencyKey] = [:]
    /// The keys with which the server may have carried out the action.
    private var unknown: Set<IdempotencyKey> = []

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
    /// - Throws: the error of the closure.
    public func callAsFunction(_ input: Input) async throws -> Output {
        let key = keys[input] ?? IdempotencyKey()
        keys[input] = key
        do {
            let output = try await send(input, key)
            forget(key, of: input)
            return output
        } catch {
            if isRejection(error), !(unknown.contains(key) && error.leavesEarlierAttemptUnknown) {
                forget(key, of: input)
            } else if (error as? any ServerFailure)?.statusCode != 401 {
                unknown.insert(key)
            }
            throw error
        }
    }

    /// Removes a key, unless another call has replaced it.
    private func forget(_ key: IdempotencyKey, of input: Input) {
        if keys[input] == key { keys[input] = nil }
        unknown.remove(key)
    }
}
