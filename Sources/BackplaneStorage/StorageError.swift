public import Foundation

/// An error of a store or a vault.
///
/// The description says which file is affected, what failed, and what to do about it. It contains
/// none of the stored data.
public struct StorageError: Error, Sendable {
    /// The kind of a failure.
    ///
    /// Later versions may add codes, so switch over them with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The file could not be created or opened.
        public static let cannotOpen = Code(description: "cannotOpen")
        /// The database refused to read or write.
        public static let databaseFailed = Code(description: "databaseFailed")
        /// The stored data is damaged, or has an unknown form.
        public static let unreadable = Code(description: "unreadable")
        /// The operation was not written, so it will not be sent.
        ///
        /// Do not tell the user that it is saved.
        public static let notSaved = Code(description: "notSaved")
        /// The outbox is at one of its limits, and the operation was not written.
        public static let full = Code(description: "full")
        /// A newer version of the app has written the file; it can only be read and exported.
        public static let newerVersion = Code(description: "newerVersion")
        /// The file has no such operation, or its state does not permit the call.
        public static let noSuchOperation = Code(description: "noSuchOperation")
    }

    /// The kind of failure, for decisions in code.
    public let code: Code

    /// The path of the file.
    public let path: String

    /// The failure and what to do about it, for humans.
    public let message: String

    /// The underlying error.
    public let cause: (any Error)?
}

extension StorageError: CustomStringConvertible {
    /// The file and the message.
    public var description: String { "\(path): \(message)" }
}

extension StorageError: LocalizedError {
    /// The same text as `description`, used by `localizedDescription`.
    public var errorDescription: String? { description }
}
