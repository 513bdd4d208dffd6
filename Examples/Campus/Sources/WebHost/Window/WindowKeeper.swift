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

/// A keeper that stores a window's record if it has changed.
///
/// **Isolation.** It belongs to its window, and is not `Sendable`.
final class WindowKeeper {
    let keeping: WindowKeeping
    /// The record that was stored last.
    private(set) var stored: WindowRecord?
    /// The newest record that is being stored.
    private var storing: (record: WindowRecord, task: Task<Void, Never>)?
    /// Whether there may be a change that no task has stored.
    private var hasChange = false
    /// Whether a task stores changes.
    private var isStoring = false

    init(_ keeping: WindowKeeping, stored: WindowRecord?) {
        self.keeping = keeping
        self.stored = stored
    }

    /// Notes a possible change of the record.
    ///
    /// - Returns: whether the caller must start a task, which stores the window as long as
    ///   ``takeChange()`` returns `true`.
    func noteChange() -> Bool {
        hasChange = true
        defer { isStoring = true }
        return !isStoring
    }

    /// Returns whether there was a change since the last call.
    func takeChange() -> Bool {
        isStoring = hasChange
        hasChange = false
        return isStoring
    }

    /// Stores `record`, unless it equals the record that was stored last.
    ///
    /// - Parameters:
    ///   - record: the record to store.
    ///   - isolation: the actor of the window.
    /// - Returns: whether the record was stored; there may then be a newer one already.
    func save(_ record: WindowRecord, isolation: isolated any Actor = #isolation) async -> Bool {
        if storing?.record != record {
            if storing == nil, stored == record { return false }
            // Not a capture list: a closure with one may run off the actor.
            let keep = keeping.keep
            storing = (record, Task { await keep(record) })
        }
        await storing?.task.value
        if storing?.record == record { (stored, storing) = (record, nil) }
        return true
    }
}
