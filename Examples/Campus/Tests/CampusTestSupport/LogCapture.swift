public import Logging

/// A log that collects all lines, at every level and with all metadata.
public struct LogCapture: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    /// Creates a log without lines.
    public init() {
        (lines, continuation) = AsyncStream.makeStream()
    }

    /// A logger that writes into this log.
    public var logger: Logger {
        Logger(label: "capture") { _ in Handler(continuation: continuation) }
    }

    /// Ends the log and returns its lines.
    public func finish() async -> [String] {
        continuation.finish()
        return await lines.reduce(into: []) { $0.append($1) }
    }

    private struct Handler: LogHandler {
        let continuation: AsyncStream<String>.Continuation
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            continuation.yield("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
        }
    }
}
