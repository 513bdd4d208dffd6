internal import BackplaneConcurrency
internal import Foundation

/// The patience of the transactions of a file while another process has locked it.
final class OutboxPatience: Sendable {
    private struct State: Sendable {
        /// How many callers have no time left.
        var hurries = 0
        /// Whether the current transaction is not worth a wait.
        var isOptional = false
    }

    /// The number of waits in half a minute.
    private static let longest = 3000

    private let state = Locked(State())

    /// Waits a moment for another process; SQLite calls it on the thread of a transaction.
    ///
    /// - Parameter tries: How often the transaction has waited.
    /// - Returns: Whether the transaction tries again; otherwise it fails.
    func wait(tries: Int) -> Bool {
        guard tries < Self.longest, state.withLock({ $0.hurries == 0 && !$0.isOptional }) else { return false }
        // Most transactions are short.
        Thread.sleep(forTimeInterval: tries < 10 ? 0.001 : 0.01)
        return true
    }

    /// Runs a part of a transaction that does not wait for other processes.
    func withoutWaiting(_ body: () -> Void) {
        state.withLock { $0.isOptional = true }
        defer { state.withLock { $0.isOptional = false } }
        body()
    }

    /// D18: From now on, no transaction waits for other processes, because a caller has no time
    /// left.
    func beginHurry() { state.withLock { $0.hurries += 1 } }

    /// Ends the hurry of one caller.
    func endHurry() { state.withLock { $0.hurries -= 1 } }
}
