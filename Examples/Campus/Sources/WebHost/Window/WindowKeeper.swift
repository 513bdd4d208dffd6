import Backplane
import Logging

/// The settings for storing a window across restarts.
struct WindowKeeping: Sendable {
    let session: SessionID
    /// Whether the window's page is known to run the script when the window is made.
    let isScripted: Bool
    let logger: Logger
    /// A closure that stores a record, and returns when the store has it.
    let keep: @Sendable (WindowRecord) async -> Void
}

/// A keeper that stores a window's record after each change.
///
/// **Isolation.** It belongs to its window, and is not `Sendable`.
final class WindowKeeper {
    let keeping: WindowKeeping
    /// The record that was stored last.
    private(set) var stored: WindowRecord?
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(_ keeping: WindowKeeping) {
        self.keeping = keeping
        // All changes of one turn result in one record.
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Calls `save` after each turn with a change on the motherboard, until ``finish()``.
    func observe(_ motherboard: Motherboard, save: @escaping @Sendable () async -> Void) {
        motherboard.observe { [change] _ in change.yield() }
        Task { [changes] in
            for await _ in changes { await save() }
        }
    }

    /// Notes a possible change for which there is no board event.
    func noteChange() { change.yield() }

    func finish() { change.finish() }

    /// Stores `record`, unless it equals the record that was stored last.
    ///
    /// - Parameters:
    ///   - record: the record to store.
    ///   - isolation: the actor of the window.
    /// - Returns: whether the record was stored; there may then be a newer one already.
    func save(_ record: WindowRecord, isolation: isolated any Actor = #isolation) async -> Bool {
        guard record != stored else { return false }
        await keeping.keep(record)
        stored = record
        return true
    }
}
