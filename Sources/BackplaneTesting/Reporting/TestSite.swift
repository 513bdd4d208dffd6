#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Where in a test something was called, and how to fail that test there, be it one of Swift Testing or of XCTest.
struct TestSite: Sendable {
    private let fileID: StaticString
    private let filePath: StaticString
    private let line: UInt
    private let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// Fails the test that is running.
    func fail(_ message: String) {
        #if canImport(Testing)
            let location = SourceLocation(
                fileID: "\(fileID)",
                filePath: "\(filePath)",
                line: Int(line),
                column: Int(column)
            )
            Issue.record(Comment(rawValue: message), sourceLocation: location)
            if Test.current != nil { return }
        #endif
        // In a task that knows of no test both are told, and the one that is not running takes no notice.
        #if canImport(XCTest)
            XCTFail(message, file: filePath, line: line)
        #endif
    }
}
