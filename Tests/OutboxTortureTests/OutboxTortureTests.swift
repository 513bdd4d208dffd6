import Foundation
import TestSupport
import Testing

/// Small runs of the program behind `make outbox-torture`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OutboxTortureTests {
    @Test(.rule("D13", "D14", "D25"))
    func `processes that are killed lose nothing, repeat nothing and keep the order`() async throws {
        let run = try await TortureRun(["--short", "--kills", "20", "--seed", "20"])
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(.rule("D13", "D25"), arguments: ["no-dedupe", "delete-before-send", "ignore-key-window"])
    func `the comparison finds a safeguard that is left out`(ablation: String) async throws {
        let run = try await TortureRun(["--kills", "8", "--seed", "20", "--ablation", ablation])
        #expect(run.status == 0, "\(run.output)")
    }
}

/// One run of the program, which stands next to the test bundle.
private struct TortureRun {
    let status: Int32
    let output: String
    private let directory = TemporaryDirectory()

    init(_ arguments: [String]) async throws {
        let log = directory.file("output.txt")
        try Data().write(to: log)
        // The output goes to a file, because the program would block on a full pipe.
        status = try await Self.run(arguments, output: FileHandle(forWritingTo: log))
        output = try String(contentsOf: log, encoding: .utf8)
    }

    private static func run(_ arguments: [String], output: FileHandle) async throws -> Int32 {
        let process = Process()
        process.executableURL = buildFolder.appending(path: "outbox-torture")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    #if canImport(Darwin)
        private final class Anchor {}

        private static var buildFolder: URL { Bundle(for: Anchor.self).bundleURL.deletingLastPathComponent() }
    #else
        private static var buildFolder: URL {
            URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        }
    #endif
}
