/// An error about a file of sessions that cannot be used.
public struct SessionFileError: Error, CustomStringConvertible {
    /// The path of the file.
    public let path: String

    /// The underlying error.
    public let cause: any Error

    /// A message with the file, the error and what to do about it.
    public var description: String {
        """
        The sessions file '\(path)' cannot be used: \(cause). Its directory must exist and be writable, and Campus must have \
        created the file. Choose another file with --sessions, or remove this one; then all users must log in again.
        """
    }
}
