import BackplaneFeatures

/// An error with words for the person who sees the screen.
public struct DisplayError: Error, Hashable, Sendable {
    /// What went wrong and what they can do, in a sentence or two.
    public let message: String

    /// Whether the server has refused, and has not done what was asked: what was shown ahead of its answer is to be undone.
    ///
    /// After any other error it may have done it, and is to be asked again.
    public let isRejection: Bool

    /// An error explained by `message`.
    public init(_ message: String, isRejection: Bool = false) {
        self.message = message
        self.isRejection = isRejection
    }

    /// The words that an error has, or the error that a mutation failed by; nil if it has none.
    public init?(explaining error: any Error) {
        let cause = (error as? FeatureError)?.cause ?? error
        guard let error = cause as? DisplayError else { return nil }
        self = error
    }

    /// Which errors undo a mutation: what every `RecordStore` that mutations are made in is to be told.
    ///
    /// ```swift
    /// let courses = RecordStore<Course.ID, Course>(isRejection: DisplayError.isRejection)
    /// ```
    public static func isRejection(_ error: any Error) -> Bool {
        (error as? DisplayError)?.isRejection ?? false
    }
}
