#if canImport(Darwin)
    private import Darwin
#elseif canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// The place where debug builds print problems that nothing observes: standard error.
///
/// The environment variable `BACKPLANE_PRINTS_PROBLEMS=0` turns it off for a process, such as a run
/// of tests.
package enum ProblemOutput {
    /// A closure that receives the lines instead, in the current task and in tasks that it starts.
    // Written out, because `@TaskLocal` is a macro.
    package static let sink = TaskLocal<(@Sendable (String) -> Void)?>(wrappedValue: nil)

    private static let isSilenced = getenv("BACKPLANE_PRINTS_PROBLEMS").map { String(cString: $0) == "0" } ?? false

    /// Writes one line; line breaks in `text` become spaces.
    package static func write(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if let sink = sink.get() { return sink(line) }
        if isSilenced { return }
        // One call, so that lines of several threads do not mix. Failures do not matter here.
        var bytes = Array((line + "\n").utf8)
        _ = writeBytes(2, &bytes, bytes.count)
    }
}

/// Calls the system's `write`, which has the name of a method above.
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(file, bytes, count)
}
