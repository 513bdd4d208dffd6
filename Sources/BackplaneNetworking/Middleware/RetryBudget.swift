internal import BackplaneConcurrency

/// A limit for the number of retries, over all requests together.
///
/// When a server is down, every request fails, and retries multiply the load on it. A retry
/// therefore costs a token, and only successful requests earn a fraction of a token each.
final class RetryBudget: Sendable {
    // Thousandths of a token, because tenths do not add up to one in floating point.
    private let balance: Locked<Int>
    private let capacity: Int
    private let earnings: Int

    /// Creates a budget with `reserve` tokens, which is also its maximum.
    init(reserve: Int, retriesPerSuccess: Double) {
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
