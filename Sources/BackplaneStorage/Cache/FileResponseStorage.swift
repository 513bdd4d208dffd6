internal import BackplaneConcurrency
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// Cached responses in an SQLite file.
///
/// An error is a miss. A file that is damaged, or from which something cannot be removed, is
/// deleted, and the store stays empty until the next launch.
final class FileResponseStorage: ResponseStorage {
    private struct State {
        var file: CacheFile?
        /// The last uses of responses since the last write.
        var uses: [Int64: Int] = [:]
        var useCount = 0
        /// The number of removals that are not over, which reads must wait for.
        var removals = 0
    }

    let source = ResponseSource.disk
    let digestKey: SipKey
    private let path: String
    private let limit: Int
    private let isHeuristic: Bool
    private let onError: @Sendable (StorageError) -> Void
    private let state: Locked<State>

    init(
        path: String,
        limit: Int,
        isHeuristic: Bool,
        onError: @escaping @Sendable (StorageError) -> Void,
        prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.path = path
        self.limit = limit
        self.isHeuristic = isHeuristic
        self.onError = onError
        do {
            let file = try CacheFile(path: path, prepare: prepare)
            (state, digestKey) = (Locked(State(file: file)), file.digestKey)
        } catch {
            (state, digestKey) = (Locked(State(file: nil)), .random())
            onError(.cacheFailed(path, error))
        }
    }

    func responses(for key: ResponseKey) async -> (responses: [StoredResponse], token: Int64) {
        let found = await access { [isHeuristic, state] file in
            let find: @Sendable (Database) throws -> ([CacheTransaction.Entry], Int64) = { database in
                let transaction = CacheTransaction(
                    database: database,
                    digestKey: file.digestKey,
                    isHeuristic: isHeuristic
                )
                return (try transaction.entries(for: key), try transaction.fence(of: key))
            }
            if state.withLock({ $0.removals == 0 }) { return try file.readAtOnce(find) }
            return try await file.database.read(find)
        }
        guard let (entries, fence) = found else { return ([], -1) }
        state.withLock { state in
            for entry in entries {
                state.useCount += 1
                state.uses[entry.id] = state.useCount
            }
        }
        return (entries.map(\.response), fence)
    }

    func replace(
        _ key: ResponseKey,
        since token: Int64,
        matching isObsolete: @escaping @Sendable (StoredResponse) -> Bool,
        by response: StoredResponse?,
        if isCurrent: @escaping @Sendable () -> Bool
    ) async -> ResponseSource.NotStored? {
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses.sorted { $0.value < $1.value }.map(\.key)
        }
        let result = await write { [limit] transaction -> ResponseSource.NotStored? in
            try transaction.note(uses)
            let obsolete = try transaction.entries(for: key).filter { isObsolete($0.response) }
            try transaction.remove(ids: obsolete.map(\.id))
            guard let response else { return nil }
            guard isCurrent(), try transaction.fence(of: key) == token else { return .superseded }
            guard response.size + key.size <= limit else { return .tooLarge }
            try transaction.insert(response, for: key)
            try transaction.removeSurplus(of: key)
            try transaction.evict(downTo: limit)
            return nil
        }
        return result ?? .storageFailed
    }

    func remove(url: String) async {
        if await write({ try $0.remove(url: url) }) == nil { abandon() }
    }

    func remove(partition: String?, prefix: String) {
        let file = state.withLock { state in
            state.removals += 1
            return state.file
        }
        guard let file else { return }
        // Not awaited: the queue performs it before any later operation.
        file.database.asyncWriteWithoutTransaction { [isHeuristic, state] database in
            defer { state.withLock { $0.removals -= 1 } }
            do {
                try database.inTransaction(.immediate) {
                    let transaction = CacheTransaction(
                        database: database,
                        digestKey: file.digestKey,
                        isHeuristic: isHeuristic
                    )
                    if let partition { try transaction.remove(partition: partition) }
                    try transaction.remove(partitionsWith: prefix)
                    return .commit
                }
                // Deleted bytes stay in the log until it is emptied, which other readers can delay.
                _ = try? database.checkpoint(.truncate)
            } catch {
                self.handle(error)
                self.abandon()
            }
        }
    }

    /// Performs a transaction, also for a caller that is cancelled.
    private func write<Value: Sendable>(
        _ updates: @escaping @Sendable (CacheTransaction) throws -> Value
    ) async -> Value? {
        await Task.detached { [self] in
            await access { [isHeuristic] file in
                try await file.database.write { database in
                    try updates(
                        CacheTransaction(database: database, digestKey: file.digestKey, isHeuristic: isHeuristic)
                    )
                }
            }
        }.value
    }

    /// Uses the file, and returns `nil` if that fails.
    @concurrent
    private func access<Value: Sendable>(
        _ body: @Sendable (CacheFile) async throws -> Value
    ) async -> Value? {
        guard let file = state.withLock({ $0.file }) else { return nil }
        do {
            return try await body(file)
        } catch {
            handle(error)
            return nil
        }
    }

    private func handle(_ error: any Error) {
        if error is CancellationError { return }
        let code = (error as? DatabaseError)?.resultCode
        if code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB { abandon() }
        onError(.cacheFailed(path, error))
    }

    /// Stops using the file, and deletes it: it is damaged, or contains what must not be served.
    private func abandon() {
        guard state.withLock({ state in state.file.take() != nil }) else { return }
        CacheFile.delete(path)
    }
}
