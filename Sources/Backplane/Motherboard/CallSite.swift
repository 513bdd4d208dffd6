/// The position in user code of a call of a setup function.
///
/// A trap of that function names this position. Setup functions take
/// `fileID: StaticString = #fileID, line: UInt = #line` as their last parameters.
struct CallSite {
    let fileID: StaticString
    let line: UInt

    /// Creates a call site.
    ///
    /// - Parameters:
    ///   - fileID: the caller's file.
    ///   - line: the caller's line.
    init(_ fileID: StaticString = #fileID, _ line: UInt = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// Traps and prints the call site and `message`, in release builds too.
    ///
    /// `precondition` prints nothing in a release build.
    func fail(_ message: String) -> Never {
        fatalError(message, file: fileID, line: line)
    }

    /// Traps with `message` unless `condition` is true.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fail(message()) }
    }
}
