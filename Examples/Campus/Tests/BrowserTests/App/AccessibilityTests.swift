import Foundation
import Testing
import WebDriver

/// Tests that axe, a checker of the Web Content Accessibility Guidelines, finds nothing.
///
/// `scripts/setup` downloads axe.
@Suite(.timeLimit(.minutes(5)))
struct AccessibilityTests {
    @Test(arguments: [false, true])
    func `axe finds nothing on any page, dialog or error state`(isDark: Bool) async throws {
        var options = BrowserOptions()
        options.isDark = isDark
        try await withCampusInBrowser(faults: "fail=/tutor:1", options: options) { browser, root in
            let axe = try Axe()
            try await browser.open(root)
            try await browser.waitFor("h1", text: "Sign in")
            let isDarkPage = "return matchMedia('(prefers-color-scheme: dark)').matches"
            #expect(try await browser.executeScript(isDarkPage) == isDark)
            try await axe.check(browser, "the login form")
            try await browser.signIn(password: "wrong")
            try await browser.waitFor("[role=alert]")
            try await axe.check(browser, "a refused sign-in")
            try await browser.type("correct horse", into: "#password")
            try await browser.click("button", text: "Sign in")
            try await browser.waitFor("#section-week", text: "Appointments this week: 5.")
            try await axe.check(browser, "the dashboard")

            for (path, shown) in [
                ("/course/abc123", "#section-to-dos input[type=checkbox]"), ("/course/nope", "#section-missing"),
                ("/settings", "#section-sessions li"), ("/catalog", "#section-products li"),
                ("/product/cards", "#section-favorite button"), ("/product/nope", "#section-missing"),
                ("/nowhere", "h1"),
            ] {
                try await browser.open("\(root)\(path)")
                try await browser.waitFor(shown)
                try await axe.check(browser, path)
            }

            try await browser.open("\(root)/compose")
            try await browser.type("Half a thought", into: "#text")
            try await axe.check(browser, "the composer")
            try await browser.click("button", text: "Send")
            try await browser.waitFor("[role=alert]")
            try await axe.check(browser, "the composer without recipients")
            try await browser.click("button", text: "Choose recipients")
            try await browser.waitFor("#section-sheet-contacts label")
            try await axe.check(browser, "the picker")
            try await browser.click("#section-sheet-cancel button")
            try await browser.waitFor("h1", text: "New message")
            try await browser.click("button", text: "Cancel")
            try await browser.waitFor("dialog:modal")
            try await axe.check(browser, "the draft question")
        }
    }
}

/// The checker, as a script to run in a page.
private struct Axe {
    private struct Violation: Decodable {
        let id: String
        let help: String
        let nodes: [String]
    }

    private let source: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../..").standardized
        source = try String(contentsOf: root.appending(path: ".build/axe/axe.min.js"), encoding: .utf8)
    }

    func check(_ browser: Browser, _ page: String) async throws {
        let script = """
            const done = arguments[arguments.length - 1];
            axe.run(document).then(({ violations }) => done(violations.map(({ id, help, nodes }) =>
                ({ id, help, nodes: nodes.map((node) => node.html) }))));
            """
        let violations = try await browser.executeAsyncScript(source + script, returning: [Violation].self)
        for violation in violations {
            let nodes = violation.nodes.joined(separator: "\n")
            Issue.record("\(page): \(violation.id): \(violation.help)\n\(nodes)")
        }
    }
}
