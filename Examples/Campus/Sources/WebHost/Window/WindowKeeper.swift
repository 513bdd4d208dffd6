import Backplane
import Logging

/// How a window is stored, so that it outlasts the process.
struct WindowKeeping: Sendable {
    let session: SessionID
    /// Whether its page is known to run the script when the window is made.
    let isScripted: Bool
    let logger: Logger
    /// Stores a record, and returns when the store has it.
    let keep: @Sendable (WindowRecord) async -> Void
}

/// Stores a window's record whenever it has changed.
///
/// **Isolation.** Belongs to its window; not `Sendable`.
final class WindowKeeper {
    let keeping: WindowKeeping
    /// The record that was stored last.
    private(set) var stored: WindowRecord?
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(_ keeping: WindowKeeping) {
        self.keeping = keeping
        // Many changes of one turn are one record.
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Calls `save` after each turn in which something changed on the motherboard.
    ///
    /// Ends with ``finish()``.
    func observe(_ motherboard: Motherboard, save: @escaping @Sendable () async -> Void) {
        motherboard.observe { [change] _ in change.yield() }
        Task { [changes] in
            for await _ in changes { await save() }
        }
    }

    /// Says that something may have changed that no event tells of.
    func noteChange() { change.yield() }

    func finish() { change.finish() }

    /// Stores `record` unless it is the one that was stored last.
    ///
    /// - Returns: whether it was stored, so that there may be a newer one by now.
    func save(_ record: WindowRecord, isolation: isolated any Actor = #isolation) async -> Bool {
        guard record != stored else { return false }
        await keeping.keep(record)
        stored = record
        return true
    }
}
