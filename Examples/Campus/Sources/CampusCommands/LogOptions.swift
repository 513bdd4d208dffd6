import ArgumentParser
import Logging

/// The options of a command that logs.
struct LogOptions: ParsableArguments {
    @Option(
        help: "The lowest level to log: trace, debug, info, notice, warning, error or critical.",
        transform: level(named:)
    )
    var logLevel = Logger.Level.info

    /// Creates a logger with this label, which drops less important lines than `logLevel`.
    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label)
        logger.logLevel = logLevel
        return logger
    }
}

@Sendable private func level(named name: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: name) else {
        throw ValidationError("There is no level '\(name)'. The levels are \(Logger.Level.allCases.map(\.rawValue)).")
    }
    return level
}
