public import Foundation

/// Where a ``WebHost`` keeps what is to outlast its process: sessions and the windows of each.
///
/// A store knows nothing of what it holds: records under keys, which the host alone can read. A record has no name by which
/// anybody could come in, as cookies and windows are in it by their hashes, but it tells what somebody was looking at: keep it
/// like that. One host uses a store at a time, and calls ``update(_:)`` for one change after the other.
public protocol SessionStore: Sendable {
    /// Everything there is, by key; asked for once, when the host starts.
    ///
    /// - Throws: whatever keeps the records from being read; the host then does not start.
    func records() async throws -> [String: Data]

    /// Replaces the records of these keys, and removes those of the keys that have none: all of it or nothing.
    ///
    /// On return the change outlasts the process, however that ends.
    ///
    /// - Throws: whatever keeps the change from being made; the host logs it, goes on, and tries again with the next.
    func update(_ changes: [String: Data?]) async throws
}
