/// A program ended before it had said that it was ready.
public struct ChildProcessError: Error, CustomStringConvertible {
    /// The program.
    public let executable: String
    /// What it wrote.
    public let output: [String]

    /// Whether a line that it wrote has `text` in it.
    public func wrote(_ text: String) -> Bool {
        output.contains { $0.contains(text) }
    }

    /// The program and all it wrote.
    public var description: String {
        "\(executable) ended before it was ready. It wrote:\n\(output.joined(separator: "\n"))"
    }
}
