import BackplaneFeatures
public import Foundation

/// An error of the app itself, with a message for the user.
public struct DisplayError: LocalizedError, Hashable {
    /// The failure and what the user can do about it, in one or two sentences.
    public let message: String

    /// Creates an error with this message.
    public init(_ message: String) {
        self.message = message
    }

    /// The message, used by `localizedDescription`.
    public var errorDescription: String? { message }

    /// Returns the text for the user of an error, or of the request behind a failed mutation.
    ///
    /// - Parameters:
    ///   - error: the error; all errors of requests have texts for the user.
    ///   - other: the result if there is no error, or if it has no text for the user.
    /// - Returns: the text to show.
    public static func message(of error: (any Error)?, else other: String) -> String {
        // Another cause, such as a full disk, has a text for the operator only.
        if let error = error as? FeatureError { return error.reason ?? other }
        return (error as? any LocalizedError)?.errorDescription ?? other
    }
}
