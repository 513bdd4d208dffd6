public import CampusModels
public import Foundation
public import ServerLimits

extension CampusAPIServer {
    /// The configuration of a server: address, database, faults, lifetimes and limits.
    public struct Configuration: Sendable {
        /// The host to listen on.
        ///
        /// The default is the loopback address, which other machines cannot reach.
        public var host = "127.0.0.1"
        /// The port to listen on; 0 for any free port.
        public var port = 8081
        /// The database file.
        ///
        /// The server creates and seeds it if it does not exist. Its directory must exist. Only one
        /// server at a time can use it: the file beside it that ends with `-lock` is locked.
        public var databasePath: String
        /// The initial faults, which `POST /_faults` can change; `nil` for a server without faults.
        public var faults: Faults?
        /// The time for which an access token is valid.
        public var accessTokenLifetime: Duration = .seconds(300)
        /// The time for which a session stays alive after its last refresh.
        public var sessionLifetime: Duration = .seconds(30 * 24 * 3600)
        /// The key with which the app names the addresses of its clients; `nil` if there is no app.
        ///
        /// Without it, all users of the app count as one network.
        public var appKey: AppKey?
        /// The limits of the connections; usually the app is the only client.
        public var limits: ServerLimits = {
            var limits = ServerLimits()
            limits.allowAnyClient()
            return limits
        }()
        /// The number of sign-in attempts that one network may make for one user within
        /// ``loginWindow``.
        ///
        /// A network is an IPv4 address, or all IPv6 addresses with the same first 64 bits.
        public var loginAttempts = 5
        /// The number of sign-in attempts that one network may make for all users within
        /// ``loginWindow``.
        ///
        /// It does not count users who have signed in from the network before.
        public var networkLoginAttempts = 100
        /// The time after which a sign-in attempt is forgotten.
        public var loginWindow: Duration = .seconds(60)
        /// The number of sign-in attempts for one user within ``accountLoginWindow``, from all
        /// networks from which the user has not signed in before.
        ///
        /// It is also the number from each network from which the user has.
        public var accountLoginAttempts = 100
        /// The part of ``accountLoginAttempts`` that all networks of one larger network may use up:
        /// the first 24 bits of an IPv4 address, or 48 bits of an IPv6 address.
        public var surroundingsLoginAttempts = 20
        /// The window of ``accountLoginAttempts``.
        public var accountLoginWindow: Duration = .seconds(3600)
        /// The cost of hashing a password.
        public var passwordCost = PasswordCost.standard
        /// A closure that returns the current date, which decides whether a token has expired.
        ///
        /// It is a date and not an instant, because tokens outlive the process.
        public var now: @Sendable () -> Date = { Date() }
        /// The monotonic clock that measures the windows of sign-in attempts, and the delay of slow
        /// responses.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Checks passwords; tests replace it to hold a check.
        var checkPassword = PasswordVerifier.checkOnThread
        /// The limits of the checks of passwords.
        var passwordLimits = PasswordVerifier.Limits()

        /// Creates the default configuration for the database at `databasePath`.
        public init(databasePath: String) {
            self.databasePath = databasePath
        }
    }
}
