/// An error for a program that ended before it was ready.
public struct ChildProcessError: Error, CustomStringConvertible {
    /// The program.
    public let executable: String
    /// The lines that the program wrote.
    public let output: [String]

    /// Returns whether a line of the program contains `text`.
    public func wrote(_ text: String) -> Bool {
        output.contains { $0.contains(text) }
    }

    /// The program and its output.
    public var description: String {
        "\(executable) ended before it was ready. It wrote:\n\(output.joined(separator: "\n"))"
    }
}
