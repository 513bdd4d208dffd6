/// The place in a user's code that calls a setup function, which the function's trap names.
///
/// Setup functions take `fileID: StaticString = #fileID, line: UInt = #line` as their last
/// parameters.
struct CallSite {
    let fileID: StaticString
    let line: UInt

    /// - Parameters:
    ///   - fileID: the caller's file.
    ///   - line: the caller's line.
    init(_ fileID: StaticString = #fileID, _ line: UInt = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// Ends the process and prints the place and `message`, in release builds too.
    ///
    /// `precondition` prints nothing in a release build.
    func fail(_ message: String) -> Never {
        fatalError(message, file: fileID, line: line)
    }

    /// Fails with `message` unless `condition` holds.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fail(message()) }
    }
}
