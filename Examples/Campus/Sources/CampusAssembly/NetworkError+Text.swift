import BackplaneNetworking
import HTTPTypes

extension NetworkError {
    static let signedOutText = "You are signed out. Load the page again to sign in."

    /// The text for the user: all controllers of the assembly explain their errors with it.
    var text: String {
        switch (code, status?.code) {
        case (.sessionExpired, _), (.signedOut, _): Self.signedOutText
        case (.transportFailed, _), (.timedOut, _): "The campus server cannot be reached."
        case (.refreshUnavailable, _): (cause as? NetworkError)?.text ?? "The campus server cannot be reached."
        // Only these responses have a message that the server writes for users.
        case (_, 409): reason ?? "The campus server refuses this."
        case (_, 422): reason ?? "The campus server does not accept this. Change it, then try again."
        case (_, 403), (_, 404), (_, 410): "There is no such thing, or you have no access to it."
        default: "The campus server could not answer."
        }
    }

    /// The text for the user after a sign-in.
    var signInText: String {
        switch (code, status?.code) {
        case (.unauthorized, _): "No user has this e-mail address and password."
        case (_, 429): "Too many attempts. Wait a minute, then try again."
        default: text
        }
    }
}
