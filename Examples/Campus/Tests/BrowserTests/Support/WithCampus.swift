import CampusModels
import Foundation
import Testing
import WebDriver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `campus` process that runs beside a test.
struct Campus: Sendable {
    /// A server of the process, which announces itself when it runs.
    enum Part: String, Sendable {
        case app = "Campus"
        case api = "API"
    }

    private let process: ChildProcess
    private let urls: [Part: String]

    fileprivate init(_ process: ChildProcess, urls: [Part: String]) {
        self.process = process
        self.urls = urls
    }

    /// Returns the root URL of a server, without a trailing slash.
    ///
    /// - Throws: ``NotAwaited`` if the test did not wait for this server.
    func url(of part: Part = .app) throws -> String {
        guard let url = urls[part] else { throw NotAwaited(part: part) }
        return url
    }

    /// The output of the process: its announcements and its log.
    var output: ProcessOutput { process.output }

    /// Replaces the faults of the API, which must have been started with `--faults`.
    func inject(faults: String) async throws {
        let url = try #require(URL(string: "\(url(of: .api))/_faults"))
        let status = try await post(try JSONEncoder().encode(FaultsRequest(faults: faults)), to: url).status
        try #require(status == 204)
    }

    /// Signs in at the API directly, without a browser.
    func signIn(_ login: LoginRequest) async throws -> TokensResponse {
        let url = try #require(URL(string: "\(url(of: .api))/login"))
        let answer = try await post(try JSONEncoder().encode(login), to: url)
        return try JSONDecoder().decode(TokensResponse.self, from: answer.body)
    }

    /// Requests new tokens from the API.
    func refresh(_ tokens: TokensResponse) async throws -> TokensResponse {
        let url = try #require(URL(string: "\(url(of: .api))/token/refresh"))
        let body = try JSONEncoder().encode(RefreshRequest(refreshToken: tokens.refreshToken))
        return try JSONDecoder().decode(TokensResponse.self, from: try await post(body, to: url).body)
    }

    private func post(_ body: Data, to url: URL) async throws -> (status: Int?, body: Data) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (data, response) = try await URLSession.shared.upload(for: request, from: body)
        return ((response as? HTTPURLResponse)?.statusCode, data)
    }

    /// Kills the process as a crash would, and returns when the process has ended.
    func kill() async {
        await process.kill()
    }

    /// An error for the URL of a server that the test did not wait for.
    struct NotAwaited: Error, CustomStringConvertible {
        let part: Part

        var description: String { "The test did not wait for .\(part). Add it to 'awaiting' of withCampus." }
    }
}

/// Runs the `campus` of the same build, and runs `body` beside it when the servers are ready.
///
/// The process has ended when this function returns, also if `body` throws.
///
/// ```swift
/// try await withCampus(arguments: ["serve", "--port", "0", "--api-port", "0"]) { campus in
///     try await withBrowser { browser in try await browser.open(campus.url()) }
/// }
/// ```
///
/// - Parameters:
///   - arguments: the command line; ports should be 0, and files in the test's own directory.
///   - parts: the servers to wait for; each server announces itself in a line with
///     `… is running at http://…`.
///   - executable: another program, for tests of this function.
///   - body: the code to run beside the process.
/// - Returns: the result of `body`.
/// - Throws: `ChildProcessError` if the process ends before the servers are ready, and the errors
///   of `body`.
func withCampus<Value: Sendable>(
    arguments: [String],
    awaiting parts: Set<Campus.Part> = [.app, .api],
    executable: String = builtCampus,
    _ body: (Campus) async throws -> Value
) async throws -> Value {
    var urls: [Campus.Part: String] = [:]
    return try await withChildProcess(executable, arguments: arguments) { line -> [Campus.Part: String]? in
        if let (part, url) = announcement(in: line) { urls[part] = url }
        return parts.isSubset(of: urls.keys) ? urls : nil
    } _: { process, urls in
        try await body(Campus(process, urls: urls))
    }
}

private func announcement(in line: String) -> (Campus.Part, String)? {
    guard let match = line.firstMatch(of: /(?<part>Campus|API) is running at (?<url>http:\/\/[^\s\/]+)/),
        let part = Campus.Part(rawValue: String(match.part))
    else { return nil }
    return (part, String(match.url))
}

/// The path of the executable `campus`.
let builtCampus = builtExecutable("campus")

/// Returns the path of an executable, which the build puts beside the tests.
func builtExecutable(_ name: String) -> String {
    #if os(macOS)
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        return tests.bundleURL.deletingLastPathComponent().appending(path: name).path
    #else
        return Bundle.main.bundleURL.appending(path: name).path
    #endif
}
