public import Foundation

/// Why something could not be stored or read.
///
/// Its description says which file, what failed and what to do about it; nothing of what is stored is part of it.
public struct StorageError: Error, Sendable {
    /// What went wrong.
    ///
    /// More codes may be added; switch over them with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The file could not be created or opened.
        public static let cannotOpen = Code(description: "cannotOpen")
        /// The database refused to read or write.
        public static let databaseFailed = Code(description: "databaseFailed")
        /// What is stored is not what was written.
        public static let unreadable = Code(description: "unreadable")
    }

    /// What went wrong, for code to decide on.
    public let code: Code

    /// The path of the file.
    public let path: String

    /// What went wrong and what to do about it, for people.
    public let message: String

    /// The error behind this one.
    public let cause: (any Error)?
}

extension StorageError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The file and the message.
    public var description: String { "\(path): \(message)" }

    /// The same as `description`: nothing more would be safe to log.
    public var debugDescription: String { "StorageError(\(code)): \(description)" }
}

extension StorageError: LocalizedError {
    /// The same as `description`, so that `localizedDescription` says as much.
    public var errorDescription: String? { description }
}
