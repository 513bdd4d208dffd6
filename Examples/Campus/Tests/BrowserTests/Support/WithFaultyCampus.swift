import CampusModels
import Foundation
import Testing
import WebDriver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs `body` with a browser for Ada, and with Campus, whose API accepts injected faults.
///
/// - Parameters:
///   - path: the path that the browser opens first.
///   - isScripted: whether the browser runs scripts.
///   - isSignedIn: whether Ada signs in at that path.
///   - sentMessages: the number of messages that Ada has sent before.
///   - body: the steps of Ada, and the faults to inject.
/// - Throws: the errors of `body`, and the errors that stop Campus or the browser from starting.
func withFaultyCampus(
    at path: String,
    isScripted: Bool = true,
    isSignedIn: Bool = true,
    sentMessages: Int = 0,
    _ body: @Sendable (Browser, Campus) async throws -> Void
) async throws {
    var options = BrowserOptions()
    options.isJavaScriptEnabled = isScripted
    let browserOptions = options
    try await withTemporaryDirectory { directory in
        let database = directory.appending(path: "campus.sqlite").path
        let arguments = ["serve", "--port", "0", "--database", database, "--faults", ""]
        try await withCampus(arguments: arguments) { campus in
            if sentMessages > 0 { try await addMessages(sentMessages, to: database) }
            try await withBrowser(browserOptions) { browser in
                try await browser.open(campus.url() + path)
                if isSignedIn { try await browser.signIn() }
                try await body(browser, campus)
            }
        }
    }
}

extension Campus {
    /// Returns the API's response to Ada at `path`, decoded.
    func adas<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value {
        let login = LoginRequest(email: "ada@campus.example", password: "correct horse")
        var request = URLRequest(url: try #require(URL(string: url(of: .api) + path)))
        request.setValue("Bearer \(try await signIn(login).accessToken)", forHTTPHeaderField: "Authorization")
        return try JSONDecoder().decode(type, from: try await URLSession.shared.data(for: request).0)
    }

    /// Waits until the app has received `count` responses to `exchange`.
    ///
    /// An exchange is the method, path and status as the log writes them.
    func answered(_ exchange: String, times count: Int) async throws {
        try await output.wait { lines in lines.count { $0.contains("\(exchange) in ") } >= count }
    }
}
