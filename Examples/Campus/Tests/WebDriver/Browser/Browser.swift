public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A headless Chromium, driven over the W3C WebDriver protocol.
///
/// The browser performs commands in the order of their calls; await each command before the next.
/// ``withBrowser(_:_:)`` creates a browser.
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
        // A separate task: its session is known even if the current task is cancelled meanwhile.
        let session = try await Task<Session, any Error> {
            try await driver.post("/session", ["capabilities": ["alwaysMatch": capabilities]])
        }.value
        self.driver = DriverConnection(url: "\(driver.url)/session/\(session.sessionId)")
        self.timeout = options.timeout
        self.process = session.capabilities.process
    }

    private static func capabilities(_ options: BrowserOptions, profile: String) -> JSONValue {
        let arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--window-size=1280,900",
                "--user-data-dir=\(profile)",
            ]
            + (options.isDark ? ["--blink-settings=preferredColorScheme=0"] : [])
            + (options.isMotionReduced ? ["--force-prefers-reduced-motion"] : [])
        // In Chromium's content settings, 2 means block.
        let preferences: JSONValue =
            options.isJavaScriptEnabled ? [:] : ["profile.managed_default_content_settings.javascript": 2]
        return [
            "browserName": "chrome",
            "goog:chromeOptions": ["args": .array(arguments.map(JSONValue.string)), "prefs": preferences],
            "goog:loggingPrefs": ["browser": "ALL"],
            // A waiting script ends by itself at its timeout to report the page. This limit is
            // longer.
            "timeouts": ["script": .number((options.timeout + .seconds(10)) / .milliseconds(1))],
        ]
    }

    /// Ends the session and Chromium.
    ///
    /// Chromium would keep running if only its driver ended.
    func quit() async {
        // The cancelled command still runs, and the driver would wait for its end.
        if Task.isCancelled { kill(process, SIGKILL) }
        await Task {
            do { try await driver.delete("") } catch { kill(process, SIGKILL) }
        }.value
    }
}

extension Browser {
    /// Opens `url` in the current tab, and returns when the page is loaded.
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

    /// Goes forward in the tab's history, as the forward button does.
    public func forward() async throws {
        try await driver.post("/forward")
    }

    /// Reloads the page.
    public func refresh() async throws {
        try await driver.post("/refresh")
    }

    /// Saves a screenshot of the tab as a PNG file at `url`.
    public func screenshot(to url: URL) async throws {
        let text: String = try await driver.get("/screenshot")
        guard let data = Data(base64Encoded: text) else {
            throw WebDriverError(code: .invalidAnswer, message: "The screenshot is not base64.")
        }
        try data.write(to: url)
    }

    /// Runs the body of a function in the page, and returns its result.
    ///
    /// - Parameters:
    ///   - script: the body of the function, which reads its arguments from `arguments`.
    ///   - arguments: the arguments.
    ///   - type: the type of the result.
    /// - Returns: the decoded result of the script.
    /// - Throws: ``WebDriverError`` if the script throws, or returns a value of another type.
    public func executeScript<Value: Decodable>(
        _ script: String,
        _ arguments: [JSONValue] = [],
        returning type: Value.Type = Value.self
    ) async throws -> Value {
        try await driver.post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Runs the body of a function in the page, and returns the result of its last argument, a
    /// callback.
    public func executeAsyncScript<Value: Decodable>(
        _ script: String,
        returning type: Value.Type = Value.self
    ) async throws -> Value {
        try await driver.post("/execute/async", ["script": .string(script), "args": []])
    }

    /// Runs the body of a function in the page.
    public func executeScript(_ script: String, _ arguments: [JSONValue] = []) async throws {
        try await driver.post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Deletes what the browser has stored, and replaces its tabs by an empty one.
    ///
    /// History, session storage and ``setViewport(width:height:)`` end with a tab.
    public func reset() async throws {
        let used = try await windows
        let new = try await newWindow()
        for window in used {
            try await switchTo(window)
            try await closeWindow()
        }
        try await switchTo(new)
        try await sendToDevTools("Network.clearBrowserCookies")
        try await sendToDevTools("Network.clearBrowserCache")
        try await sendToDevTools("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
        _ = try await takeConsoleEntries()
    }
}
