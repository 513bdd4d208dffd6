public import Foundation

/// A store in which a ``WebHost`` keeps sessions and their windows across restarts.
///
/// A store contains records under keys, which only the host can read. Cookies and window IDs are
/// stored as hashes, so a record gives no access. But a record reveals what a user was looking at,
/// so protect the store accordingly. Only one host uses a store at a time, and it calls
/// ``update(_:)`` for one change after the other.
public protocol SessionStore: Sendable {
    /// Returns all records by key; called once, when the host starts.
    ///
    /// - Returns: the records by key.
    /// - Throws: an error if the records cannot be read; the host then does not start.
    func records() async throws -> [String: Data]

    /// Replaces the records of these keys, and removes the records of keys with `nil`, as one
    /// transaction.
    ///
    /// After this method returns, the change survives any end of the process.
    ///
    /// - Parameter changes: the new record under each key; `nil` removes the record.
    /// - Throws: an error if the change cannot be made. The host logs it, continues, and repeats
    ///   the change with the next one.
    func update(_ changes: [String: Data?]) async throws

    /// Checks that a change could be made, without making one; by default, it is assumed.
    ///
    /// - Throws: an error if changes cannot be made, for example because the disk is full.
    func check() async throws

    /// Prepares the store for the end of the process; called once, after the last change.
    ///
    /// - Throws: an error, which the host logs; all changes are stored anyway.
    func close() async throws
}

extension SessionStore {
    /// Assumes that a change could be made.
    public func check() async throws {}

    /// Prepares nothing.
    public func close() async throws {}
}
