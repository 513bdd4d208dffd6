internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// The effect of a failed refresh on the session.
enum RefreshFailure {
    /// Returns whether the server will never accept the refresh token again, so the user must log
    /// in.
    ///
    /// RFC 6749 section 5.2 uses 400 with the error `invalid_grant` for this. Some servers use 401
    /// instead. The other errors of that section are about the app. A mistake in the app's
    /// configuration must not sign the user out.
    static func isFinal(_ error: any Error) -> Bool {
        guard let error = error as? NetworkError, [400, 401].contains(error.status?.code) else { return false }
        let problem = error.body.flatMap { try? JSONDecoder().decode(Problem.self, from: $0) }
        return !aboutTheApp.contains(problem?.error ?? "")
    }

    /// Returns the pause after a refresh that failed temporarily with `error`, the `failures`-th
    /// time in a row.
    ///
    /// The pause is half a second to one second at first, and grows to at most a minute. The time
    /// that the server asks for is added, up to an hour. Half of the first part is random, so
    /// clients that failed together do not return together.
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
