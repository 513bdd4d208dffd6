import Backplane
import BackplaneTesting
import Foundation
import Observation
import Testing

@testable import Club

/// Tests that the program prints what the pages of the path say.
///
/// After a command that runs the program, a page has what it prints, and after `>` what is typed.
@Suite(.timeLimit(.minutes(1))) struct TranscriptTests {
    @Observable final class Output {
        var lines: [String] = []
    }

    private nonisolated static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation/Path")

    private nonisolated static let pages = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []

    @Test(arguments: pages)
    func `the program prints what the page says`(page: String) async throws {
        let text = try String(contentsOf: Self.folder.appending(path: page), encoding: .utf8)
        let runs = text.matches(
            of:
                /```sh\nswift run --package-path Examples\/Club(?: ClubTerminal (\S+))?\n```\n+```text\n((?:.*\n)*?)```\n/
        )
        #expect(!runs.isEmpty)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for run in runs {
            let output = Output()
            let terminal = try await ClubTerminal.open(run.1.map(String.init), in: folder) { text in
                output.lines += text.split(separator: "\n").map(String.init)
            }
            var expected: [String] = []
            for line in run.2.split(separator: "\n").map(String.init) + ["> quit"] {
                guard line.hasPrefix("> ") else {
                    expected.append(line)
                    continue
                }
                await waitUntil { Self.has(expected, in: output.lines) }
                #expect(Self.has(expected, in: output.lines), "\(expected) is not in \(output.lines)")
                terminal.enter(String(line.dropFirst(2)))
                if line == "> quit" { break }
            }
        }
    }

    /// Returns whether all `expected` lines are in `lines`, in this order.
    ///
    /// A page that shows for a moment only may be between them.
    private static func has(_ expected: [String], in lines: [String]) -> Bool {
        var rest = lines[...]
        for line in expected {
            guard let position = rest.firstIndex(of: line) else { return false }
            rest = rest[(position + 1)...]
        }
        return true
    }
}
