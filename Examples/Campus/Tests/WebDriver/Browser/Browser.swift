public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A headless Chromium, driven over the W3C WebDriver protocol.
///
/// Commands are carried out in the order they are called in, each one awaited. ``withBrowser(_:_:)`` makes one.
public struct Browser: Sendable {
    let driver: DriverConnection
    let timeout: Duration

    private let process: pid_t

    private struct Session: Decodable {
        struct Capabilities: Decodable {
            let process: pid_t

            private enum CodingKeys: String, CodingKey {
                case process = "goog:processID"
            }
        }

        let sessionId: String
        let capabilities: Capabilities
    }

    init(driver: DriverConnection, options: BrowserOptions, profile: String) async throws {
        let capabilities = Self.capabilities(options, profile: profile)
        // A task of its own, so that nothing that has started stays unknown when this one is cancelled.
        let session = try await Task<Session, any Error> {
            try await driver.post("/session", ["capabilities": ["alwaysMatch": capabilities]])
        }.value
        self.driver = DriverConnection(url: "\(driver.url)/session/\(session.sessionId)")
        self.timeout = options.timeout
        self.process = session.capabilities.process
    }

    private static func capabilities(_ options: BrowserOptions, profile: String) -> JSONValue {
        let arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--window-size=\(options.windowSize.width),\(options.windowSize.height)",
            "--user-data-dir=\(profile)",
        ]
        // Chromium's content setting: 2 blocks.
        let preferences: JSONValue =
            options.isJavaScriptEnabled ? [:] : ["profile.managed_default_content_settings.javascript": 2]
        return [
            "browserName": "chrome",
            "goog:chromeOptions": ["args": .array(arguments.map(JSONValue.string)), "prefs": preferences],
            "goog:loggingPrefs": ["browser": "ALL"],
            // A script of ours ends by itself when its time is up, so that it can say what it saw; this comes later.
            "timeouts": ["script": .number((options.timeout + .seconds(10)) / .milliseconds(1))],
        ]
    }

    /// Ends the session, and Chromium with it, which would stay behind if only its driver ended.
    func quit() async {
        // The command that was cancelled still runs, and the driver would wait for its end.
        if Task.isCancelled { kill(process, SIGKILL) }
        await Task {
            do { try await driver.delete("") } catch { kill(process, SIGKILL) }
        }.value
    }
}

extension Browser {
    /// Opens `url` in the current tab, and returns when it is loaded.
    public func open(_ url: String) async throws {
        try await driver.post("/url", ["url": .string(url)])
    }

    /// The URL in the address bar.
    public var currentURL: String {
        get async throws { try await driver.get("/url") }
    }

    /// The title of the page.
    public var title: String {
        get async throws { try await driver.get("/title") }
    }

    /// Goes back in the tab's history, as the back button does.
    public func back() async throws {
        try await driver.post("/back")
    }

    /// Loads the page again.
    public func refresh() async throws {
        try await driver.post("/refresh")
    }

    /// Takes a picture of what the tab shows, as a PNG file at `url`.
    public func screenshot(to url: URL) async throws {
        let text: String = try await driver.get("/screenshot")
        guard let data = Data(base64Encoded: text) else {
            throw WebDriverError(code: .invalidAnswer, message: "The screenshot is not base64.")
        }
        try data.write(to: url)
    }

    /// Runs the body of a function in the page, and returns what it returns.
    ///
    /// - Parameters:
    ///   - script: the body, which finds the arguments in `arguments`.
    ///   - arguments: the arguments.
    ///   - type: what the script returns.
    /// - Returns: what the script returned, decoded.
    /// - Throws: ``WebDriverError`` when the script throws, or returns something else.
    public func executeScript<Value: Decodable>(
        _ script: String,
        _ arguments: [JSONValue] = [],
        returning type: Value.Type = Value.self
    ) async throws -> Value {
        try await driver.post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Runs the body of a function in the page.
    public func executeScript(_ script: String, _ arguments: [JSONValue] = []) async throws {
        try await driver.post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }
}
