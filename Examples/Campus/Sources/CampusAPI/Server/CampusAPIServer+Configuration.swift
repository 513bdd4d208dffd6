public import Foundation

extension CampusAPIServer {
    /// Where a server listens, and what with.
    public struct Configuration: Sendable {
        /// The host to listen on.
        ///
        /// The default is the loopback address: nobody else's machine can reach it.
        public var host = "127.0.0.1"
        /// The port to listen on; 0 for any free one.
        public var port = 8081
        /// The database file.
        ///
        /// It is made and seeded when there is none; its directory must exist.
        public var databasePath: String
        /// The faults to start with, which can then be changed over `POST /_faults`; nil for a server that has no faults.
        public var faults: Faults?
        /// How long an access token is valid.
        public var accessTokenLifetime: Duration = .seconds(300)
        /// How long a session lives on after its last refresh.
        public var sessionLifetime: Duration = .seconds(30 * 24 * 3600)
        /// How many times one address may try to log in as one user within ``loginWindow``.
        public var loginAttempts = 5
        /// The time after which an attempt to log in is forgotten.
        public var loginWindow: Duration = .seconds(60)
        /// What hashing a password costs.
        public var passwordCost = PasswordCost.standard
        /// The time of day, which decides what has expired.
        ///
        /// It is a date, not an instant: tokens outlive the process.
        public var now: @Sendable () -> Date = { Date() }
        /// The clock on which slow answers sleep.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The default configuration on the database at `databasePath`.
        public init(databasePath: String) {
            self.databasePath = databasePath
        }
    }
}
