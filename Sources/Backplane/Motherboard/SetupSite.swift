/// The place in an app's code where something is set up, for the sentence of a trap.
struct SetupSite {
    let fileID: StaticString
    let line: UInt

    /// Traps with a sentence and the caller's line, in release builds too.
    func fail(_ message: String) -> Never {
        fatalError(message, file: fileID, line: line)
    }
}
