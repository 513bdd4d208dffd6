import Foundation
import WebDriver

/// A `campus` process that is measured.
struct Server: Sendable {
    /// The memory of the process, in bytes.
    struct Memory: Sendable {
        /// The memory of the process that is in RAM.
        let rss: Int
        /// The same, with a share only of the pages that other processes use, too.
        let pss: Int
        /// The memory that the process has allocated and not freed.
        let heap: Int
    }

    /// The ports of the app and of the API; 0 for free ones.
    struct Ports: Sendable {
        var app = 0
        var api = 0
    }

    private struct Report: Decodable {
        let heapInUse: Int
    }

    let ports: Ports
    private let process: ChildProcess

    fileprivate init(_ process: ChildProcess, ports: Ports) {
        self.process = process
        self.ports = ports
    }

    /// The root URL of the app, without a slash at its end.
    var root: String { "http://127.0.0.1:\(ports.app)" }

    /// Kills the process as a crash would, and returns when the process has ended.
    func kill() async { await process.kill() }

    /// Returns the memory, after a pause in which work that is under way ends.
    func memory() async throws -> Memory {
        try await Task.sleep(for: .seconds(3))
        let heap = try await heapInUse()
        guard let rss = ProcFile.bytes("VmRSS", in: try file("status")),
            let pss = ProcFile.bytes("Pss", in: try file("smaps_rollup"))
        else { throw Failure("/proc does not show the memory of the process.") }
        return Memory(rss: rss, pss: pss, heap: heap)
    }

    /// Measures the CPU of the process for a number of seconds, in percent of one core.
    func cpu(for seconds: Int) async throws -> Double {
        let before = try cpuTime()
        try await Task.sleep(for: .seconds(seconds))
        let used = try cpuTime() - before
        return used / Duration.seconds(seconds) * 100
    }

    private func cpuTime() throws -> Duration {
        guard let time = ProcFile.cpuTime(inStat: try file("stat")) else {
            throw Failure("/proc does not show the CPU time of the process.")
        }
        return time
    }

    private func heapInUse() async throws -> Int {
        let known = await process.output.lines.count(where: isReport)
        send(SIGUSR2, to: process.processID)
        try await process.output.wait { lines in lines.count(where: isReport) > known }
        let line = await process.output.lines.last(where: isReport) ?? ""
        return try JSONDecoder().decode(Report.self, from: Data(line.utf8)).heapInUse
    }

    private func file(_ name: String) throws -> String {
        try procFile("\(process.processID)/\(name)")
    }
}

private func isReport(_ line: String) -> Bool { line.hasPrefix("{\"heapInUse\"") }

private func send(_ signal: Int32, to process: Int32) {
    kill(process, signal)
}

private func procFile(_ path: String) throws -> String {
    do {
        return try String(contentsOf: URL(filePath: "/proc/\(path)"), encoding: .utf8)
    } catch {
        throw Failure("/proc/\(path) cannot be read. This command runs on Linux only. \(error)")
    }
}

/// Checks that this process, and the server that it starts, may open enough connections.
///
/// - Throws: ``Failure`` if fewer than `count` files may be open.
func requireOpenFiles(_ count: Int) throws {
    let limit = ProcFile.openFiles(inLimits: try procFile("self/limits")) ?? 0
    guard limit >= count else {
        throw Failure("\(limit) files may be open, and \(count) are needed. Raise the limit: ulimit -n \(count)")
    }
}

/// Runs the `campus` of the same build, and runs `body` beside it when it is ready.
///
/// - Parameters:
///   - directory: the directory for the files of the process, possibly with those of an earlier
///     one.
///   - ports: the ports to listen on.
///   - options: more options of the process.
///   - environment: variables to add to the environment of the process.
///   - body: the code to run beside the process, which ends with it.
/// - Returns: the result of `body`.
/// - Throws: `ChildProcessError` if the process ends before it is ready, and the errors of `body`.
func withServer<Value: Sendable>(
    in directory: URL,
    ports: Server.Ports = Server.Ports(),
    options: [String] = [],
    environment: [String: String] = [:],
    _ body: (Server) async throws -> Value
) async throws -> Value {
    let arguments =
        [
            "serve", "--port", "\(ports.app)", "--api-port", "\(ports.api)", "--log-level", "error",
            "--database", directory.appending(path: "campus.sqlite").path,
            // All browsers of a measurement have one address.
            "--client-connections", "100000",
        ] + options
    var open = Server.Ports()
    func ready(_ line: String) -> Server.Ports? {
        if let match = line.firstMatch(of: /(Campus|API) is running at http:\/\/127\.0\.0\.1:(\d+)/) {
            let port = Int(match.2) ?? 0
            if match.1 == "API" { open.api = port } else { open.app = port }
        }
        return open.app > 0 && open.api > 0 ? open : nil
    }
    let program = Bundle.main.bundleURL.appending(path: "campus").path
    return try await withChildProcess(program, arguments: arguments, environment: environment, ready: ready) {
        process,
        ports in
        try await body(Server(process, ports: ports))
    }
}

/// Runs `body` with a directory that is removed afterwards.
func withTemporaryDirectory<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "campus-load-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
