import BackplaneFeatures

/// An error with a message for the user.
public struct DisplayError: Error, Hashable, Sendable {
    /// The failure and what the user can do about it, in one or two sentences.
    public let message: String

    /// Whether the server rejected the change, so that the change must be undone on the screen.
    ///
    /// After any other error the server may have made the change, so the change must be sent again.
    public let isRejection: Bool

    /// Whether the requested value does not exist for this user, so that a retry is useless.
    public let isMissing: Bool

    /// Creates an error with this message.
    public init(_ message: String, isRejection: Bool = false, isMissing: Bool = false) {
        self.message = message
        self.isRejection = isRejection
        self.isMissing = isMissing
    }

    /// Creates the display error behind an error or behind a failed mutation; `nil` if there is
    /// none.
    public init?(explaining error: any Error) {
        let cause = (error as? FeatureError)?.cause ?? error
        guard let error = cause as? DisplayError else { return nil }
        self = error
    }

    /// Returns the message behind an error, or `other` if there is no error or it has no message
    /// for the user.
    public static func message(of error: (any Error)?, else other: String) -> String {
        error.flatMap { DisplayError(explaining: $0) }?.message ?? other
    }

    /// Returns whether an error undoes a mutation.
    ///
    /// Pass this function to every `RecordStore` with mutations.
    ///
    /// ```swift
    /// let courses = RecordStore<Course.ID, Course>(isRejection: DisplayError.isRejection)
    /// ```
    public static func isRejection(_ error: any Error) -> Bool {
        (error as? DisplayError)?.isRejection ?? false
    }
}
