/// The URL of stored responses, and their owner.
package struct ResponseKey: Hashable, Sendable {
    /// The number of responses of one key that a store keeps, so that a lookup stays fast.
    package static let variants = 16

    package let partition: String
    package let url: String

    package init(partition: String, url: String) {
        self.partition = partition
        self.url = url
    }
}

/// The place where stored responses are.
///
/// An operation of a store that fails is a miss: it throws nothing.
package protocol ResponseStorage: Sendable {
    /// The source of fresh responses.
    var source: ResponseSource { get }

    /// The key of the digests of request fields.
    var digestKey: SipKey { get }

    /// Returns the stored responses of a URL, the latest first, and a token for `replace`.
    func responses(for key: ResponseKey) async -> (responses: [StoredResponse], token: Int64)

    /// Replaces the responses that match a request by a new one, or by none.
    ///
    /// In one step with that, it asks `isCurrent`. If the answer is no, it stores nothing; it
    /// also stores nothing if the key was removed since `token` was made, by any process.
    ///
    /// - Returns: The reason if the new response is not stored.
    func replace(
        _ key: ResponseKey,
        since token: Int64,
        matching isObsolete: @escaping @Sendable (StoredResponse) -> Bool,
        by response: StoredResponse?,
        if isCurrent: @escaping @Sendable () -> Bool
    ) async -> ResponseSource.NotStored?

    /// Removes the responses of a URL from all partitions.
    func remove(url: String) async

    /// Removes the responses of all partitions whose name is given or begins with `prefix`, before
    /// any later operation.
    func remove(partition: String?, prefix: String)
}

/// A place for the responses that a controller caches.
///
/// ```swift
/// var options = NetworkOptions()
/// options.cache = .memory(limit: 16 * 1024 * 1024)
/// ```
///
/// `BackplaneStorage` has a store in a file, which outlives the process.
public struct ResponseStore: Sendable {
    package let open: @Sendable (_ isHeuristic: Bool) -> any ResponseStorage

    package init(open: @escaping @Sendable (_ isHeuristic: Bool) -> any ResponseStorage) {
        self.open = open
    }

    /// Returns a store in memory, which each controller has for itself.
    ///
    /// - Parameter limit: The size of all responses, in bytes. When the store is full, the least
    ///   recently used responses are removed first.
    /// - Returns: The store.
    public static func memory(limit: Int = 4 * 1024 * 1024) -> ResponseStore {
        ResponseStore { _ in MemoryResponseStorage(limit: limit) }
    }
}
