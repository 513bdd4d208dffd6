import Foundation
import Subprocess
import SystemPackage
import Testing
import WebDriver

@Suite(.timeLimit(.minutes(1)))
struct CommandLineTests {
    @Test func `on a port that is taken Campus says so, offers another, and fails`() async throws {
        try await withTemporaryDirectory { directory in
            let database = ["--database", directory.appending(path: "campus.sqlite").path]
            try await withCampus(arguments: ["serve", "--port", "0"] + database) { campus in
                let port = try #require(try campus.url().split(separator: ":").last).description
                let result = try await run(
                    .path(FilePath(builtCampus)),
                    arguments: Arguments(["serve", "--port", port] + database),
                    output: .discarded,
                    error: .string(limit: 100_000)
                )
                #expect(!result.terminationStatus.isSuccess)
                let message = result.standardError
                #expect(message.contains("Error: Port \(port)"))
                #expect(message.contains("--port"))
            }
        }
    }

    @Test(arguments: [["--faults", "nonsense"], ["app", "--api", "http://campus.example"], ["--no-such-option"]])
    func `a command line that makes no sense is refused with a reason`(arguments: [String]) async throws {
        let result = try await run(
            .path(FilePath(builtCampus)),
            arguments: Arguments(arguments),
            output: .discarded,
            error: .string(limit: 100_000)
        )
        #expect(!result.terminationStatus.isSuccess)
        #expect(result.standardError.contains("Error: "))
    }
}
