import BackplaneNetworking
import HTTPTypes
import Screens

extension DisplayError {
    static let loggedOut = DisplayError("You are logged out. Load the page again to log in.")

    init(loginProblem error: NetworkError) {
        switch (error.code, error.status?.code) {
        case (.unauthorized, _): self.init("No user has this e-mail address and password.")
        case (_, 429): self.init("Too many attempts. Wait a minute, then try again.")
        default: self.init(loadProblem: error)
        }
    }

    init(loadProblem error: NetworkError) {
        switch (error.code, error.status?.code) {
        case (_, 404): self.init("There is no such thing, or it is not yours to see.")
        case (_, 422): self.init("The campus server does not accept this. Change it, then try again.")
        case (.sessionExpired, _), (.signedOut, _): self = .loggedOut
        case (.transportFailed, _), (.timedOut, _): self.init("The campus server cannot be reached.")
        default: self.init("The campus server could not answer.")
        }
    }
}
