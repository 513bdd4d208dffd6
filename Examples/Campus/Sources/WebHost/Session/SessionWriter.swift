import Foundation
import Logging

/// A writer that passes changes to a ``SessionStore``, one write at a time, in the order of the
/// calls.
///
/// Changes that arrive during a write are combined into the next one. If several records have the
/// same key, only the newest is written. After a failed write, its changes become part of the next
/// one.
///
/// **Isolation.** It belongs to the actor that calls it, and is not `Sendable`.
final class SessionWriter {
    private let store: any SessionStore
    private let logger: Logger
    /// The changes of the next write.
    private var pending: [String: Data?] = [:]
    private var lastWrite: Task<Void, Never>?
    /// The write that has not begun yet; later changes join it.
    private var nextWrite: Task<Void, Never>?
    /// Whether the last write succeeded.
    private(set) var isWorking = true

    init(store: any SessionStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Writes the changes, and returns when the store has accepted or refused them.
    ///
    /// Without changes, it repeats those that the store has refused.
    ///
    /// - Parameters:
    ///   - changes: the new record under each key; `nil` removes the record.
    ///   - isolation: the actor that this writer belongs to.
    func write(_ changes: [String: Data?], isolation: isolated any Actor = #isolation) async {
        guard !changes.isEmpty || !isWorking else { return }
        pending.merge(changes) { $1 }
        // Not a capture list: a closure with one may run off the actor.
        let earlier = lastWrite
        let write =
            nextWrite
            ?? Task {
                await earlier?.value
                await self.writePending(isolation: isolation)
            }
        nextWrite = write
        await write.value
    }

    /// Returns when all requested writes have ended.
    func finish(isolation: isolated any Actor = #isolation) async {
        await (nextWrite ?? lastWrite)?.value
    }

    private func writePending(isolation: isolated any Actor) async {
        (lastWrite, nextWrite) = (nextWrite, nil)
        let changes = pending
        pending = [:]
        do {
            try await store.update(changes)
            isWorking = true
        } catch {
            logger.error("Sessions could not be stored, so a restart now would lose the changes: \(error)")
            isWorking = false
            pending.merge(changes) { newer, _ in newer }
        }
    }
}
