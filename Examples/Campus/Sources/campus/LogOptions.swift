import ArgumentParser
import Logging

/// What a command that logs can be told.
struct LogOptions: ParsableArguments {
    @Option(
        help: "The least important lines to log: trace, debug, info, notice, warning, error or critical.",
        transform: level(named:)
    )
    var logLevel = Logger.Level.info

    /// A logger of what is that important.
    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label)
        logger.logLevel = logLevel
        return logger
    }
}

@Sendable private func level(named name: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: name) else {
        throw ValidationError("There is no '\(name)'; there are \(Logger.Level.allCases.map(\.rawValue)).")
    }
    return level
}
