public import BackplaneNetworking
public import Foundation

extension ResponseStore {
    /// Returns a store in an SQLite file, which outlives the process.
    ///
    /// ```swift
    /// let caches = try FileManager.default.url(
    ///     for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    /// options.cache = .file(at: caches.appending(path: "responses.sqlite"))
    /// ```
    ///
    /// Only the owner can use the file, and it is not backed up. It contains neither tokens nor the
    /// fields of requests. A file that is damaged or that another version has written is deleted
    /// and made anew. A failure never fails a request: it is as if nothing were cached. Several
    /// processes can use one file.
    ///
    /// The responses of a user outlive the process if the controller has an account name. See
    /// `AuthenticatedNetworkController`.
    ///
    /// - Parameters:
    ///   - file: The database, in a directory that exists, such as the one for caches. All
    ///     controllers with the returned value share it.
    ///   - limit: The size of all responses, in bytes. When the store is full, the least recently
    ///     used responses are removed first.
    ///   - onError: A closure that receives failures, for logs. It is called on any thread.
    /// - Returns: The store.
    public static func file(
        at file: URL,
        limit: Int = 64 * 1024 * 1024,
        onError: @escaping @Sendable (StorageError) -> Void = { _ in }
    ) -> ResponseStore {
        ResponseStore { isHeuristic in
            FileResponseStorage(path: file.path, limit: limit, isHeuristic: isHeuristic, onError: onError)
        }
    }
}

extension StorageError {
    static func cacheFailed(_ path: String, _ cause: any Error) -> StorageError {
        StorageError(
            code: .databaseFailed,
            path: path,
            message: """
                The cached responses could not be used, and requests go on without them. Check that the directory \
                exists and that the disk has free space. See `cause` for SQLite's reason.
                """,
            cause: cause
        )
    }
}
