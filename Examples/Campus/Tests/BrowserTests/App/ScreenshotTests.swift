import Foundation
import Testing
import WebDriver

/// The directory for the pictures; `nil` outside of `make screenshots`.
private let screenshotDirectory = ProcessInfo.processInfo.environment["BACKPLANE_SCREENSHOTS"].map {
    URL(filePath: $0, directoryHint: .isDirectory)
}

/// The pictures of the documentation, which `make screenshots` takes.
///
/// They are no test of Campus. They use its seeded data, no times and no animations, so that they
/// change only with the look.
@Suite(.enabled(if: screenshotDirectory != nil, "only for make screenshots"), .timeLimit(.minutes(5)))
struct ScreenshotTests {
    @Test(arguments: ["light", "dark"])
    func `the main screens are drawn`(colors: String) async throws {
        let directory = try #require(screenshotDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var options = BrowserOptions()
        options.isDark = colors == "dark"
        options.isMotionReduced = true
        try await withCampusInBrowser(options: options) { browser, root in
            func save(_ screen: String) async throws {
                try await browser.saveScreenshot(to: directory.appending(path: "\(screen)-\(colors).png"))
            }

            try await browser.setViewport(width: 1200, height: 800)
            try await browser.open(root)
            try await browser.waitFor("h1", text: "Sign in")
            try await save("login")
            try await browser.signIn()
            try await browser.waitFor("h1", text: "Dashboard")
            for (screen, path, shown) in Self.screens {
                try await browser.open("\(root)\(path)")
                try await browser.waitFor(shown)
                try await browser.waitForAbsence(of: ".skeleton")
                try await save(screen)
            }
            try await browser.openDraftQuestion(at: "\(root)/compose")
            try await save("composer")

            try await browser.setViewport(width: 375, height: 812)
            try await browser.open(root)
            try await browser.waitFor("#section-week", text: "Appointments")
            try await browser.waitForAbsence(of: ".skeleton")
            try await save("dashboard-phone")
        }
    }

    private static let screens = [
        ("dashboard", "/", "#section-week:not(:empty)"), ("course", "/course/abc123", "#section-to-dos li"),
        ("product", "/product/notes", "#section-favorite button"),
    ]
}

extension Browser {
    fileprivate func openDraftQuestion(at url: String) async throws {
        try await open(url)
        try await click("button", text: "Choose recipients")
        try await click("dialog label", text: "Charles Babbage")
        try await click("dialog button", text: "Choose")
        try await waitForAbsence(of: "dialog[open]")
        try await waitFor("main", text: "Charles Babbage")
        try await type("The table for the Bernoulli numbers is done. Could you look at it on Tuesday?", into: "#text")
        try await click("button", text: "Cancel")
        try await waitFor("dialog:modal h2", text: "Keep the message as a draft?")
    }

    /// Saves a picture without a blinking caret, and expects that it is small.
    fileprivate func saveScreenshot(to file: URL) async throws {
        try await executeScript("document.documentElement.style.caretColor = 'transparent'")
        try await screenshot(to: file)
        let size = try Data(contentsOf: file).count
        #expect(size < 120_000, "\(file.lastPathComponent) is too large for the repository")
    }
}
