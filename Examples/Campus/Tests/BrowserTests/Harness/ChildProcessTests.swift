import Foundation
import Testing
import WebDriver

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tests of running programs beside a test.
@Suite(.timeLimit(.minutes(5)))
struct ChildProcessTests {
    /// A script that prints its process ID, then runs until it is ended.
    private static let script = "echo hello; echo $$; exec tail -f /dev/null"

    @Test func `a program runs until its body ends, also if the body throws`() async throws {
        struct Failure: Error {
            let pid: pid_t
        }
        let failure = await #expect(throws: Failure.self) {
            try await withChildProcess("sh", arguments: ["-c", Self.script], ready: pid_t.init) { _, pid in
                #expect(isRunning(pid))
                throw Failure(pid: pid)
            }
        }
        #expect(try !isRunning(#require(failure?.pid)))
    }

    @Test func `a killed program has ended`() async throws {
        try await withChildProcess("/bin/sh", arguments: ["-c", Self.script], ready: pid_t.init) { process, pid in
            await process.kill()
            #expect(!isRunning(pid))
        }
    }

    @Test func `a program that writes more than a pipe holds is not blocked`() async throws {
        let script = """
            mkfifo "$0"; echo ready
            head -c 200000 /dev/zero | tr '\\0' '\\n'
            echo done > "$0"; exec tail -f /dev/null
            """
        let fifo = URL.temporaryDirectory.appending(path: "campus-fifo-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: fifo) }
        try await withChildProcess("sh", arguments: ["-c", script, fifo], ready: line("ready")) { _, _ in
            try await withChildProcess("cat", arguments: [fifo], ready: line("done")) { _, _ in }
        }
    }

    @Test func `a program that ends before it is ready throws an error with its output`() async throws {
        let script = "echo one; echo two >&2; exit 3"
        let error = await #expect(throws: ChildProcessError.self) {
            try await withChildProcess("sh", arguments: ["-c", script], ready: line("three")) { _, _ in }
        }
        #expect(error?.output == ["one", "two"])
        #expect(error?.description.contains("sh ended before it was ready") == true)
    }

    @Test func `a wait finds earlier and later output, and throws if the program has ended`() async throws {
        let script = "echo early; echo ready; cat \"$0\"; echo late"
        let fifo = URL.temporaryDirectory.appending(path: "campus-fifo-\(UUID().uuidString)").path
        #expect(mkfifo(fifo, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: fifo) }
        try await withChildProcess("sh", arguments: ["-c", script, fifo], ready: line("ready")) { process, _ in
            try await process.output.wait { $0.contains("early") }
            #expect(await !process.output.lines.contains("late"))
            // Opening and closing the FIFO lets the program continue.
            close(open(fifo, O_WRONLY))
            try await process.output.wait { $0.contains("late") }
            let error = await #expect(throws: ChildProcessError.self) {
                try await process.output.wait { $0.contains("never") }
            }
            #expect(error?.output == ["early", "ready", "late"])
        }
    }

    @Test func `Campus is ready when all awaited servers have announced themselves`() async throws {
        let script = """
            echo "info: Server started and listening on 127.0.0.1:1"
            echo "API is running at http://127.0.0.1:1"
            echo "Campus is running at http://127.0.0.1:2/"
            exec tail -f /dev/null
            """
        try await withCampus(arguments: ["-c", script], executable: "sh") { campus in
            let urls = (api: try campus.url(of: .api), app: try campus.url())
            #expect(urls == ("http://127.0.0.1:1", "http://127.0.0.1:2"))
        }
        try await withCampus(arguments: ["-c", script], awaiting: [.api], executable: "sh") { campus in
            let url = try campus.url(of: .api)
            #expect(url == "http://127.0.0.1:1")
            #expect(throws: Campus.NotAwaited.self) { try campus.url(of: .app) }
        }
    }

    @Test func `the tests run the campus executable of the same build`() async throws {
        let error = await #expect(throws: ChildProcessError.self) {
            try await withCampus(arguments: ["--no-such-option"]) { _ in }
        }
        #expect(error?.executable.hasSuffix("/campus") == true)
        #expect(error?.output.isEmpty == false)
    }

    private func line(_ expected: String) -> (String) -> Bool? {
        { $0 == expected ? true : nil }
    }

    private func isRunning(_ pid: pid_t) -> Bool {
        // For a child, waitid reports its end, or nothing yet. It fails if the child was collected.
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_signo == 0
    }
}
