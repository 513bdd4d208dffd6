import BackplaneNetworking
import CampusModels
import HTTPTypes
import Screens

extension DisplayError {
    static let loggedOut = DisplayError("You are logged out. Load the page again to log in.")

    init(loginProblem error: NetworkError) {
        switch (error.code, error.status?.code) {
        case (.unauthorized, _): self.init("No user has this e-mail address and password.")
        case (_, 429): self.init("Too many attempts. Wait a minute, then try again.")
        default: self.init(requestProblem: error)
        }
    }

    init(requestProblem error: NetworkError) {
        let isRejection = error.isDefinite
        switch (error.code, error.status?.code) {
        case (_, 404):
            self.init("There is no such thing, or you have no access to it.", isRejection: isRejection, isMissing: true)
        case (_, 409):
            // Only this response has a message that the server writes for users.
            let reason = try? error.body?.decode(APIError.self).message
            self.init(reason ?? "The campus server refuses this.", isRejection: isRejection)
        case (_, 422):
            self.init("The campus server does not accept this. Change it, then try again.", isRejection: isRejection)
        case (.sessionExpired, _), (.signedOut, _): self = .loggedOut
        case (.transportFailed, _), (.timedOut, _): self.init("The campus server cannot be reached.")
        default: self.init("The campus server could not answer.", isRejection: isRejection)
        }
    }
}

extension NetworkError {
    /// Whether the server definitely rejects the request.
    ///
    /// It is `false` for "not now" and for a user that the server does not know.
    fileprivate var isDefinite: Bool {
        guard code == .rejected, let status else { return false }
        return ![408, 425, 429].contains(status.code)
    }
}
