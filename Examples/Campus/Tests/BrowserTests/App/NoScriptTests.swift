import Testing
import WebDriver

/// Tests of the app in a browser that runs no scripts.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NoScriptTests {
    @Test func `forms and links work without script by loading pages`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        try await withCampusInBrowser(faults: "fail=/courses/*/schedule:1", options: options) { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn(password: "wrong")
            try await browser.waitFor("[role=alert]", text: "No user has this e-mail address and password.")
            try await browser.type("correct horse", into: "#password")
            try await browser.click("button", text: "Sign in")
            try await browser.waitFor("#section-tutor", text: "Charles Babbage")
            try await browser.waitFor("#section-schedule [role=alert]")
            try await browser.click("#section-schedule button", text: "Try again")
            try await browser.waitFor("#section-schedule", text: "Machine room")
            try await browser.click("[aria-label=Breadcrumb] a", text: "Dashboard")
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
        }
    }

    @Test func `a message is written and sent without script`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.click("a", text: "Write a message")
            try await browser.type("The engine runs.", into: "#text")
            try await browser.click("button", text: "Choose recipients")
            try await browser.click("label", text: "Charles Babbage")
            try await browser.click("#sheet button", text: "Choose")
            try await browser.waitFor("#recipients", text: "Charles Babbage")
            try await browser.click("button", text: "Send")
            try await browser.waitFor("#section-messages", text: "The engine runs.")
            try await browser.waitFor("#section-messages", text: "To Charles Babbage")
        }
    }

    @Test func `the shop is visible without script and without a sign-in`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.open("\(root)/catalog")
            try await browser.click("a", text: "A Nanosecond")
            try await browser.waitFor("#section-product", text: "€1.00")
            try await browser.click("[aria-label=Breadcrumb] a", text: "Campus shop")
            try await browser.waitFor("h1", text: "Campus shop")
        }
    }
}
