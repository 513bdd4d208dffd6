import Foundation

/// How a browser is started.
public struct BrowserOptions: Sendable {
    /// Whether pages may run scripts.
    ///
    /// The methods of ``Browser`` work either way: the driver's own scripts run even in a page that may have none.
    public var isJavaScriptEnabled = true
    /// How long the waiting methods of ``Browser`` wait.
    public var timeout: Duration = .seconds(10)
    /// The size of the window, in CSS pixels.
    public var windowSize = (width: 1280, height: 900)

    /// The default options: scripts, and ten seconds.
    public init() {}
}

/// Runs a headless Chromium with a profile of its own beside `body`.
///
/// Browser, driver and profile are gone when this returns, also when `body` throws or the task is cancelled. Needs
/// `chromedriver` and the `chromium` of the same version, as Debian's packages of these names have them.
///
/// ```swift
/// try await withBrowser { browser in
///     try await browser.open("http://127.0.0.1:8080/")
///     try await browser.click("button", text: "Log in")
///     try await browser.waitFor("h1", text: "Courses")
/// }
/// ```
public func withBrowser<Value: Sendable>(
    _ options: BrowserOptions = BrowserOptions(),
    _ body: (Browser) async throws -> Value
) async throws -> Value {
    // One browser inside of another has the slot of that, or those that wait for one another would wait for ever.
    if BrowserSlots.isTaken { return try await withStartedBrowser(options, body) }
    await BrowserSlots.shared.take()
    defer { Task { await BrowserSlots.shared.giveBack() } }
    return try await BrowserSlots.$isTaken.withValue(true) { try await withStartedBrowser(options, body) }
}

/// Lets few browsers run at a time: more than the machine can serve only time out.
private actor BrowserSlots {
    static let shared = BrowserSlots()

    /// Whether whoever asks has a slot already.
    @TaskLocal static var isTaken = false

    private var free = 3
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Gives the slot to whoever has waited longest.
    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

private func withStartedBrowser<Value: Sendable>(
    _ options: BrowserOptions,
    _ body: (Browser) async throws -> Value
) async throws -> Value {
    // With port 0 chromedriver takes a port that is free on IPv6 and fails when it is not so on IPv4.
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

/// How often chromedriver is started before a port that is taken counts as a failure.
private let driverAttempts = 5

private func withDriver<Value: Sendable>(
    _ options: BrowserOptions,
    _ body: (Browser) async throws -> Value
) async throws -> Value {
    // A short name: Chromium makes sockets in here, whose paths may not be longer than about a hundred bytes.
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

/// The port that chromedriver says it was started on.
private func driverPort(in line: String) -> Int? {
    line.firstMatch(of: /started successfully on port (?<port>\d+)/).flatMap { Int($0.port) }
}
