import Foundation

/// The options for starting a browser.
public struct BrowserOptions: Hashable, Sendable {
    /// Whether pages may run scripts.
    ///
    /// The methods of ``Browser`` work in both cases: the driver's own scripts run even if the
    /// page may run no scripts.
    public var isJavaScriptEnabled = true
    /// The timeout of the waiting methods of ``Browser``.
    public var timeout: Duration = .seconds(30)

    /// Whether pages are asked for dark colors.
    public var isDark = false

    /// Whether pages are asked to avoid animations.
    public var isMotionReduced = false

    /// Creates the default options: JavaScript, and a timeout of 30 seconds.
    public init() {}
}

/// Runs `body` with a headless Chromium that has no data, in one empty tab.
///
/// Starting Chromium takes longer than most tests. A browser is therefore handed on to the next
/// test with the same options that waits for one, with its tabs closed and its data deleted. A
/// browser ends with its driver and its profile if no test waits, if `body` throws, or if the task
/// is cancelled. The function needs `chromedriver` and `chromium` of the same version, as in
/// Debian's packages of these names.
///
/// ```swift
/// try await withBrowser { browser in
///     try await browser.open("http://127.0.0.1:8080/")
///     try await browser.click("button", text: "Sign in")
///     try await browser.waitFor("h1", text: "Courses")
/// }
/// ```
public func withBrowser<Value: Sendable>(
    _ options: BrowserOptions = BrowserOptions(),
    _ body: (Browser) async throws -> Value
) async throws -> Value {
    // A nested browser uses the slot of the outer browser; otherwise browsers that wait for each
    // other's slots would wait forever.
    if BrowserPool.isUsed { return try await withStartedBrowser(options, body) }
    return try await BrowserPool.shared.withSlot {
        let running = try await BrowserPool.shared.take(options)
        do {
            let value = try await body(running.browser)
            await BrowserPool.shared.park(running)
            return value
        } catch {
            await running.kill()
            throw error
        }
    }
}

func withStartedBrowser<Value: Sendable>(
    _ options: BrowserOptions,
    _ body: (Browser) async throws -> Value
) async throws -> Value {
    // With port 0, chromedriver takes a port that is free on IPv6, and fails if the port is taken
    // on IPv4.
    for _ in 1..<driverAttempts {
        var hasStarted = false
        do {
            return try await withDriver(options) { browser in
                hasStarted = true
                return try await body(browser)
            }
        } catch let error as ChildProcessError where !hasStarted && error.wrote("Address already in use") {
            continue
        }
    }
    return try await withDriver(options, body)
}

/// The number of starts of chromedriver before a taken port counts as a failure.
private let driverAttempts = 5

private func withDriver<Value: Sendable>(
    _ options: BrowserOptions,
    _ body: (Browser) async throws -> Value
) async throws -> Value {
    // The name is short because Chromium creates sockets here, and a socket's path is limited to
    // about a hundred bytes.
    let directory = URL.temporaryDirectory.appending(path: "campus-browser-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await withChildProcess(
        "chromedriver",
        arguments: ["--port=0"],
        environment: ["TMPDIR": directory.path],
        ready: driverPort
    ) { _, port in
        let driver = DriverConnection(url: "http://127.0.0.1:\(port)")
        let browser = try await Browser(
            driver: driver,
            options: options,
            profile: directory.appending(path: "profile").path
        )
        do {
            let value = try await body(browser)
            await browser.quit()
            return value
        } catch {
            await browser.quit()
            throw error
        }
    }
}

/// Returns the port that chromedriver announces in `line`, or `nil`.
private func driverPort(in line: String) -> Int? {
    line.firstMatch(of: /started successfully on port (?<port>\d+)/).flatMap { Int($0.port) }
}
