import CampusModels
import Foundation
import Testing
import WebDriver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs Campus, whose API does wrong what the test tells it to, and a browser for Ada.
///
/// - Parameters:
///   - path: where the browser is opened.
///   - isScripted: whether the browser runs scripts.
///   - isLoggedIn: whether she logs in there first.
///   - body: what Ada does, and what is done to the API meanwhile.
/// - Throws: whatever `body` throws, and what keeps Campus or the browser from starting.
func withFaultyCampus(
    at path: String,
    isScripted: Bool = true,
    isLoggedIn: Bool = true,
    _ body: @Sendable (Browser, Campus) async throws -> Void
) async throws {
    var options = BrowserOptions()
    options.isJavaScriptEnabled = isScripted
    let browserOptions = options
    try await withTemporaryDirectory { directory in
        let database = directory.appending(path: "campus.sqlite").path
        let arguments = ["serve", "--port", "0", "--database", database, "--faults", ""]
        try await withCampus(arguments: arguments) { campus in
            try await withBrowser(browserOptions) { browser in
                try await browser.open(campus.url() + path)
                if isLoggedIn { try await browser.logIn() }
                try await body(browser, campus)
            }
        }
    }
}

extension Campus {
    /// What the API has for Ada at a path.
    func adas<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value {
        let login = LoginRequest(email: "ada@campus.example", password: "correct horse")
        var request = URLRequest(url: try #require(URL(string: url(of: .api) + path)))
        request.setValue("Bearer \(try await logIn(login).accessToken)", forHTTPHeaderField: "Authorization")
        return try JSONDecoder().decode(type, from: try await URLSession.shared.data(for: request).0)
    }

    /// Waits until the app has been given that many answers, each the log's words for method, path and status.
    func answered(_ exchange: String, times count: Int) async throws {
        try await output.wait { lines in lines.count { $0.contains("\(exchange) in ") } >= count }
    }
}
