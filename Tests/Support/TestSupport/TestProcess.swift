// Most of Apple's systems start no processes.
#if os(macOS) || os(Linux)
    public import Foundation

    /// A program that a test has run.
    public struct TestProcess: Sendable {
        /// The status with which it has ended.
        public let status: Int32
        /// All that it has written to its standard output and error.
        public let output: String

        /// Runs a program to its end.
        ///
        /// - Parameters:
        ///   - program: The executable file.
        ///   - arguments: Its arguments.
        /// - Throws: The error of the system if the program cannot be started.
        public init(_ program: URL, _ arguments: [String]) async throws {
            let directory = TemporaryDirectory()
            let log = directory.file("output.txt")
            try Data().write(to: log)
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            // The output goes to a file, because the program would block on a full pipe.
            let file = try FileHandle(forWritingTo: log)
            process.standardOutput = file
            process.standardError = file
            status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
            output = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        }

        #if canImport(Darwin)
            private final class Anchor {}

            /// The folder of the test bundle, of the modules and of the executables.
            public static var buildFolder: URL { Bundle(for: Anchor.self).bundleURL.deletingLastPathComponent() }
        #else
            /// The folder of the test bundle, of the modules and of the executables.
            public static var buildFolder: URL {
                URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            }
        #endif
    }
#endif
