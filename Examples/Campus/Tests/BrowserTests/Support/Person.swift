import Foundation
import WebDriver

/// Runs Campus and a browser for a test, with a database of the test's own.
///
/// - Parameters:
///   - faults: what the API is to do wrong.
///   - eventLogs: where Campus is to record what happens.
///   - options: how the browser is set up.
///   - body: what a person does, given the root of the app's addresses.
/// - Throws: whatever `body` throws, and what keeps Campus or the browser from starting.
func withCampusInBrowser(
    faults: String? = nil,
    eventLogs: URL? = nil,
    options: BrowserOptions = BrowserOptions(),
    _ body: @Sendable (Browser, String) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let database = directory.appending(path: "campus.sqlite").path
        let arguments =
            ["serve", "--port", "0", "--database", database] + (faults.map { ["--faults", $0] } ?? [])
            + (eventLogs.map { ["--event-logs", $0.path] } ?? [])
        try await withCampus(arguments: arguments) { campus in
            let root = try campus.url()
            try await withBrowser(options) { browser in try await body(browser, root) }
        }
    }
}

/// A directory that is gone when `body` has ended.
func withTemporaryDirectory<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "campus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}

extension Browser {
    /// Fills in the login form and sends it.
    func logIn(email: String = "ada@campus.example", password: String = "correct horse") async throws {
        try await waitFor("h1", text: "Log in")
        try await type(email, into: "#email")
        try await type(password, into: "#password")
        try await click("button", text: "Log in")
    }

    /// The text of the page as a person sees it.
    var pageText: String {
        get async throws { try await find("body").text }
    }
}
