internal import BackplaneConcurrency

/// How many requests may be repeated, for all requests together.
///
/// When a server is down every request fails, and retries multiply the load it has to come back under. So a retry costs a
/// token, and only successes earn tokens, a fraction each: however many requests fail, retries stay that fraction of what
/// succeeds, beyond the few tokens there are at the start.
///
/// ```swift
/// let budget = RetryBudget(reserve: 20, retriesPerSuccess: 0.2)
/// options.middlewares = [RetryMiddleware(budget: budget)]
/// ```
///
/// Safe to use from any thread.
public final class RetryBudget: Sendable {
    // In thousandths of a token, since tenths do not add up to one in floating point.
    private let balance: Locked<Int>
    private let capacity: Int
    private let earnings: Int

    /// A budget with `reserve` tokens, which is also the most it can hold.
    ///
    /// - Parameters:
    ///   - reserve: how many retries there may be without any success.
    ///   - retriesPerSuccess: the fraction of successes that retries may be in the long run, to three decimals.
    public init(reserve: Int = 10, retriesPerSuccess: Double = 0.1) {
        capacity = reserve * 1000
        earnings = Int((retriesPerSuccess * 1000).rounded())
        balance = Locked(capacity)
    }

    /// Notes that a request succeeded, as far as the server's health is concerned.
    func deposit() {
        balance.withLock { $0 = min($0 + earnings, capacity) }
    }

    /// Pays for a retry, if there is enough to.
    func withdraw() -> Bool {
        balance.withLock { balance in
            guard balance >= 1000 else { return false }
            balance -= 1000
            return true
        }
    }
}
