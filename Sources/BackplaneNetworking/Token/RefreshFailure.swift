internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// What a failed refresh means for the session.
enum RefreshFailure {
    /// Whether the refresh token will never be accepted again, so that only logging in helps.
    ///
    /// RFC 6749 section 5.2 has 400 with the error `invalid_grant` for it; others answer 401. The other errors of that
    /// section are about the app and not about the user, who must not be logged out for a mistake in its configuration.
    static func isFinal(_ error: any Error) -> Bool {
        guard let error = error as? NetworkError, [400, 401].contains(error.status?.code) else { return false }
        let problem = try? error.body?.decode(Problem.self)
        return !aboutTheApp.contains(problem?.error ?? "")
    }

    /// How long to leave it at a refresh that failed with `error` for the time being, the `failures`-th in a row: half a second
    /// to one second at first, up to a minute in the end, and as much longer as the server asks for, up to an hour.
    ///
    /// Half of the first part is left to chance, so that clients which failed together do not come back together.
    static func pause(after error: any Error, failures: Int) -> Duration {
        let longest = min(60, pow(2, Double(failures - 1)))
        return .seconds(longest * Double.random(in: 0.5...1)) + .asked(for: error)
    }

    private struct Problem: Decodable {
        let error: String
    }

    private static let aboutTheApp: Set = [
        "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
    ]
}
