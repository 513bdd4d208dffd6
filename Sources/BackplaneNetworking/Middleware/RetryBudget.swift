internal import BackplaneConcurrency

/// A limit for the number of retries, over all requests together.
///
/// When a server is down, every request fails, and retries multiply the load on it. A retry
/// therefore costs a token, and only successful requests earn a fraction of a token each. So
/// retries never exceed that fraction of the successful requests, apart from the few tokens at the
/// start.
///
/// ```swift
/// let budget = RetryBudget(reserve: 20, retriesPerSuccess: 0.2)
/// options.middlewares = [RetryMiddleware(budget: budget)]
/// ```
///
/// It is safe to use from any thread.
public final class RetryBudget: Sendable {
    // Thousandths of a token, because tenths do not add up to one in floating point.
    private let balance: Locked<Int>
    private let capacity: Int
    private let earnings: Int

    /// Creates a budget with `reserve` tokens, which is also its maximum.
    ///
    /// - Parameters:
    ///   - reserve: The number of retries that are possible without any success.
    ///   - retriesPerSuccess: The number of retries for each successful request in the long run, to
    ///     three decimals.
    public init(reserve: Int = 10, retriesPerSuccess: Double = 0.1) {
        capacity = reserve * 1000
        earnings = Int((retriesPerSuccess * 1000).rounded())
        balance = Locked(capacity)
    }

    /// Records that a request succeeded, as far as the server's health is concerned.
    func deposit() {
        balance.withLock { $0 = min($0 + earnings, capacity) }
    }

    /// Takes a token for a retry, and returns `false` if there are not enough.
    func withdraw() -> Bool {
        balance.withLock { balance in
            guard balance >= 1000 else { return false }
            balance -= 1000
            return true
        }
    }
}
