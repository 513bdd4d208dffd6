/// A line of a ``Browser``'s console: what a script logged, an error nobody caught, a resource that could not be loaded.
public struct ConsoleEntry: Hashable, Sendable, Decodable {
    /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
    public let level: String
    /// The line, with the place it comes from.
    public let message: String
    /// Where it comes from, such as `console-api`, `javascript` or `network`.
    public let source: String
}

extension Browser {
    /// The lines of the console since this was last asked, the oldest first.
    public func takeConsoleEntries() async throws -> [ConsoleEntry] {
        try await driver.post("/se/log", ["type": "browser"])
    }
}
