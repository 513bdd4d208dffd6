/// An error about a file of sessions that cannot be used.
public struct SessionFileError: Error, CustomStringConvertible {
    /// The reason why a file cannot be used.
    enum Reason: Error {
        /// Another process uses it.
        case inUse
        /// SQLite has found this damage.
        case damaged(String)
    }

    /// The path of the file.
    public let path: String

    /// The underlying error.
    public let cause: any Error

    /// A message with the file, the error and what to do about it.
    public var description: String {
        switch cause {
        case Reason.inUse:
            """
            The sessions file '\(path)' is in use by another process. End that process, or choose another file with \
            --sessions.
            """
        case Reason.damaged(let damage):
            """
            The sessions file '\(path)' is damaged: \(damage). Replace it with a backup, choose another file with --sessions, \
            or remove this one; then all users must sign in again, and their drafts are lost.
            """
        default:
            """
            The sessions file '\(path)' cannot be used: \(cause). Its directory must exist and be writable, and Campus must have \
            created the file. Choose another file with --sessions, or remove this one; then all users must sign in again.
            """
        }
    }
}
