public import Foundation

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
        /// The server creates and seeds it if it does not exist. Its directory must exist.
        public var databasePath: String
        /// The initial faults, which `POST /_faults` can change; `nil` for a server without faults.
        public var faults: Faults?
        /// The time for which an access token is valid.
        public var accessTokenLifetime: Duration = .seconds(300)
        /// The time for which a session stays alive after its last refresh.
        public var sessionLifetime: Duration = .seconds(30 * 24 * 3600)
        /// The number of log-in attempts that one address may make for one user within
        /// ``loginWindow``.
        public var loginAttempts = 5
        /// The time after which a log-in attempt is forgotten.
        public var loginWindow: Duration = .seconds(60)
        /// The cost of hashing a password.
        public var passwordCost = PasswordCost.standard
        /// A closure that returns the current date, which decides whether a token has expired.
        ///
        /// It is a date and not an instant, because tokens outlive the process.
        public var now: @Sendable () -> Date = { Date() }
        /// The clock that measures the delay of slow responses.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Creates the default configuration for the database at `databasePath`.
        public init(databasePath: String) {
            self.databasePath = databasePath
        }
    }
}
