import Logging

/// The number of connections that a server serves.
actor ConnectionCount {
    private let maximum: Int
    private let logger: Logger
    private var count = 0
    /// Whether the log says that the maximum is reached, and the number has not fallen since.
    private var hasWarned = false

    init(maximum: Int, logger: Logger) {
        self.maximum = maximum
        self.logger = logger
    }

    /// Counts a connection; returns `false` if there are too many, and then does not count it.
    func open() -> Bool {
        guard count < maximum else {
            if !hasWarned {
                hasWarned = true
                logger.warning(
                    "The maximum number of connections is reached, and new ones get status 503",
                    metadata: ["maximum": "\(maximum)"]
                )
            }
            return false
        }
        count += 1
        return true
    }

    /// Counts a connection that has ended.
    func close() {
        count -= 1
        // A number that moves around the maximum must not fill the log.
        if count * 4 < maximum * 3 { hasWarned = false }
    }
}
