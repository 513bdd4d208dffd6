/// A line of a ``Browser``'s console.
///
/// The line is a script's log message, an uncaught error, or a resource that failed to load.
public struct ConsoleEntry: Hashable, Sendable, Decodable {
    /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
    public let level: String
    /// The text of the line, with its location in the source.
    public let message: String
    /// The origin of the line, such as `console-api`, `javascript` or `network`.
    public let source: String
}

extension Browser {
    /// Returns the console's lines since the previous call, the oldest first.
    public func takeConsoleEntries() async throws -> [ConsoleEntry] {
        try await driver.post("/se/log", ["type": "browser"])
    }
}
