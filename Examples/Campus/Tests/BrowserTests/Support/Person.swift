import Foundation
import WebDriver

/// Runs `body` with Campus and a browser, on a new database.
///
/// - Parameters:
///   - faults: the faults of the API.
///   - eventLogs: the directory of Campus's event logs.
///   - options: the options of the browser.
///   - executable: the executable with Campus.
///   - body: the steps of the user, with the browser and the root URL of the app.
/// - Throws: the errors of `body`, and the errors that stop Campus or the browser from starting.
func withCampusInBrowser(
    faults: String? = nil,
    eventLogs: URL? = nil,
    options: BrowserOptions = BrowserOptions(),
    executable: String = builtCampus,
    _ body: @Sendable (Browser, String) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let database = directory.appending(path: "campus.sqlite").path
        let arguments =
            ["serve", "--port", "0", "--database", database] + (faults.map { ["--faults", $0] } ?? [])
            + (eventLogs.map { ["--event-logs", $0.path] } ?? [])
        try await withCampus(arguments: arguments, executable: executable) { campus in
            let root = try campus.url()
            try await withBrowser(options) { browser in try await body(browser, root) }
        }
    }
}

/// Runs `body` with a directory that is removed afterwards.
func withTemporaryDirectory<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "campus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}

extension Browser {
    /// Fills in the login form and submits it.
    func signIn(email: String = "ada@campus.example", password: String = "correct horse") async throws {
        try await waitFor("h1", text: "Sign in")
        try await type(email, into: "#email")
        try await type(password, into: "#password")
        try await click("button", text: "Sign in")
    }

    /// The visible text of the page.
    var pageText: String {
        get async throws { try await find("body").text }
    }
}
