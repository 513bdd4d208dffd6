/// Why a file of sessions cannot be used.
public struct SessionFileError: Error, CustomStringConvertible {
    /// The file.
    public let path: String

    /// The error underneath.
    public let cause: any Error

    /// What failed, with which file, and what to do about it.
    public var description: String {
        """
        The sessions file '\(path)' cannot be used: \(cause). Its directory must exist and be writable, and the file must be one \
        that Campus made; name another with --sessions, or remove it, and everybody logs in anew.
        """
    }
}
