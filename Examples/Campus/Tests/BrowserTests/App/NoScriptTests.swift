import Testing
import WebDriver

/// The same app for a browser that runs no script.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NoScriptTests {
    @Test func `without script forms and links do the same by loading pages`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        try await withCampusInBrowser(faults: "fail=/courses/*/schedule:1", options: options) { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.logIn(password: "wrong")
            try await browser.waitFor("[role=alert]", text: "No user has this e-mail address and password.")
            try await browser.type("correct horse", into: "#password")
            try await browser.click("button", text: "Log in")
            try await browser.waitFor("#section-tutor", text: "Charles Babbage")
            try await browser.waitFor("#section-schedule [role=alert]")
            try await browser.click("#section-schedule button", text: "Try again")
            try await browser.waitFor("#section-schedule", text: "Machine room")
            try await browser.click("a", text: "All courses")
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("button", text: "Log out")
            try await browser.waitFor("h1", text: "Log in")
        }
    }
}
