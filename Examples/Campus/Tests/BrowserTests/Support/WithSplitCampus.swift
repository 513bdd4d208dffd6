import Foundation
import Testing
import WebDriver

/// Campus as two processes, the API and the app, with files and ports that outlive them.
struct SplitCampus: Sendable {
    private let directory: URL
    private let ports: [Campus.Part: String]

    /// Creates Campus with new files and free ports.
    init(in directory: URL) {
        self.init(in: directory, ports: [:])
    }

    private init(in directory: URL, ports: [Campus.Part: String]) {
        self.directory = directory
        self.ports = ports
    }

    private func file(_ name: String) -> String { directory.appending(path: name).path }

    /// Returns the same Campus, whose next processes listen at the same ports as these.
    func again(_ api: Campus, _ app: Campus) throws -> SplitCampus {
        func port(_ url: String) throws -> String { try #require(url.split(separator: ":").last).description }
        return SplitCampus(
            in: directory,
            ports: [.api: try port(api.url(of: .api)), .app: try port(app.url())]
        )
    }

    /// Runs the API, which accepts injected faults, and runs `body` beside it.
    func withAPI<Value: Sendable>(_ body: (Campus) async throws -> Value) async throws -> Value {
        try await withCampus(
            arguments: [
                "api", "--port", ports[.api] ?? "0", "--database", file("campus.sqlite"), "--faults", "",
            ],
            awaiting: [.api],
            body
        )
    }

    /// Runs the app with the API at this URL, and runs `body` beside it.
    func withApp<Value: Sendable>(at api: String, _ body: (Campus) async throws -> Value) async throws -> Value {
        try await withCampus(
            arguments: [
                "app", "--api", api, "--port", ports[.app] ?? "0", "--sessions", file("campus-sessions.sqlite"),
            ],
            awaiting: [.app],
            body
        )
    }
}
