import CampusModels
import Foundation
import Testing
import WebDriver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `campus` process that runs beside a test.
struct Campus: Sendable {
    /// A server that the process may run, and says so when it does.
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

    /// The root of the URLs of a server, without a slash at its end.
    ///
    /// - Throws: ``NotAwaited`` when the test did not wait for this server.
    func url(of part: Part = .app) throws -> String {
        guard let url = urls[part] else { throw NotAwaited(part: part) }
        return url
    }

    /// What the process writes: its announcements and its log.
    var output: ProcessOutput { process.output }

    /// Makes the API, which must have been started with `--faults`, do this wrong from now on.
    func inject(faults: String) async throws {
        let url = try #require(URL(string: "\(url(of: .api))/_faults"))
        let status = try await post(try JSONEncoder().encode(FaultsRequest(faults: faults)), to: url).status
        try #require(status == 204)
    }

    /// Logs in as a client that is no browser.
    func logIn(_ login: LoginRequest) async throws -> TokensResponse {
        let url = try #require(URL(string: "\(url(of: .api))/login"))
        let answer = try await post(try JSONEncoder().encode(login), to: url)
        return try JSONDecoder().decode(TokensResponse.self, from: answer.body)
    }

    /// Asks the API for new tokens.
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

    /// Ends the process as a crash would; it is gone when this returns.
    func kill() async {
        await process.kill()
    }

    /// A test asked for the URL of a server that it did not wait for.
    struct NotAwaited: Error, CustomStringConvertible {
        let part: Part

        var description: String { "Add .\(part) to what withCampus waits for, in order to have its URL." }
    }
}

/// Runs the `campus` that was built along with the tests beside `body`, which starts when the servers answer.
///
/// The process has ended when this returns, also when `body` throws.
///
/// ```swift
/// try await withCampus(arguments: ["serve", "--port", "0", "--api-port", "0"]) { campus in
///     try await withBrowser { browser in try await browser.open(campus.url()) }
/// }
/// ```
///
/// - Parameters:
///   - arguments: the command line; ports should be 0, and files in a directory of the test's own.
///   - parts: the servers to wait for, each of which must announce itself with `… is running at http://…` on a line.
///   - executable: another program, for tests of this function.
///   - body: what to do meanwhile.
/// - Returns: what `body` returns.
/// - Throws: `ChildProcessError` when the process ends before the servers answer, and whatever `body` throws.
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

/// The `campus` executable, which the build puts beside the tests.
let builtCampus: String = {
    #if os(macOS)
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        return tests.bundleURL.deletingLastPathComponent().appending(path: "campus").path
    #else
        return Bundle.main.bundleURL.appending(path: "campus").path
    #endif
}()
