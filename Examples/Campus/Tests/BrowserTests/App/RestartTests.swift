import CampusTestTools
import Foundation
import Testing
import WebDriver

/// Tests that kill the process and start it again with the same files and ports.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RestartTests {
    @Test func `an open page reconnects after a restart, and its screens and history still work`() async throws {
        try await withRestart { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.click("a", text: "Linear Algebra")
            try await browser.waitFor("section", text: "Emmy Noether")
            try await browser.executeScript("document.body.dataset.mark = 'not loaded again'")
        } afterwards: { browser, root in
            // The course stays visible. The next steps show that the new process responds.
            try await browser.waitForAbsence(of: "#connection:not([hidden])")
            try await browser.waitFor("section", text: "Emmy Noether")
            try await browser.back()
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.waitFor("section", text: "Ada Lovelace")
            #expect(try await browser.currentURL == "\(root)/")
            try await browser.click("a", text: "Analytical Engines")
            try await browser.waitFor("section", text: "Charles Babbage")
            try await browser.waitFor("body[data-mark]")
        }
    }

    @Test func `a page reloaded after a restart shows its address, and the user is still signed in`() async throws {
        try await withRestart { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await browser.waitFor("section", text: "Charles Babbage")
        } afterwards: { browser, root in
            try await browser.refresh()
            try await browser.waitFor("section", text: "Charles Babbage")
            try await browser.open(root)
            try await browser.waitFor("section", text: "Ada Lovelace")
        }
    }

    @Test func `a window without a script is restored by a form of its page and by the back button`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        try await withRestart(options) { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("section", text: "Ada Lovelace")
        } afterwards: { browser, root in
            let address = try await browser.currentURL
            #expect(address.hasPrefix("\(root)/?_window="))
            try await browser.click("button", text: "Refresh")
            try await browser.waitFor("section", text: "Ada Lovelace")
            #expect(try await browser.currentURL == address)
            try await browser.click("a", text: "Linear Algebra")
            try await browser.waitFor("section", text: "Emmy Noether")
            try await browser.back()
            try await browser.waitFor("section", text: "Ada Lovelace")
            #expect(try await browser.currentURL == address)
        }
    }

    @Test func `two tabs return after a restart, each with its own screens`() async throws {
        try await withRestart { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.click("a", text: "Linear Algebra")
            try await browser.waitFor("section", text: "Emmy Noether")
            try await browser.switchTo(try await browser.newWindow())
            try await browser.open("\(root)/compose")
            try await browser.waitFor("h1", text: "New message")
            try await browser.type("Half a thou", into: "#text")
        } afterwards: { browser, _ in
            try await browser.waitForAbsence(of: "#connection:not([hidden])")
            let text = try await browser.executeScript(
                "return document.getElementById('text').value",
                returning: String.self
            )
            #expect(text == "Half a thou")
            try await browser.click("button", text: "Choose recipients")
            try await browser.waitFor("#sheet h2", text: "Recipients")
            let second = try await browser.window
            for window in try await browser.windows where window != second { try await browser.switchTo(window) }
            try await browser.waitForAbsence(of: "#connection:not([hidden])")
            try await browser.back()
            try await browser.waitFor("h1", text: "Dashboard")
        }
    }

    @Test(.rule("M18")) func `a draft survives a restart and a new sign-in`() async throws {
        try await withRestart { browser, root in
            try await browser.open("\(root)/compose")
            try await browser.signIn()
            try await browser.type("Half a thought", into: "#text")
            try await browser.click("button", text: "Choose recipients")
            try await browser.click("label", text: "Charles Babbage")
            try await browser.click("#sheet button", text: "Choose")
            try await browser.click("button", text: "Cancel")
            try await browser.click("button", text: "Save")
            try await browser.waitFor("section", text: "Ada Lovelace")
        } afterwards: { browser, root in
            try await browser.waitForAbsence(of: "#connection:not([hidden])")
            for isNew in [false, true] {
                if isNew { try await browser.signIn() }
                try await browser.waitFor("section", text: "Ada Lovelace")
                try await browser.click("a", text: "Write a message")
                try await browser.waitFor("#recipients", text: "Charles Babbage")
                #expect(try await browser.find("#text").text == "Half a thought")
                try await browser.open(root)
                try await browser.click("button", text: "Sign out")
            }
        }
    }

    @Test func `a browser that has signed out stays signed out after a restart`() async throws {
        try await withRestart { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
        } afterwards: { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.waitFor("h1", text: "Sign in")
            let text = try await browser.pageText
            for secret in ["Ada", "Analytical", "Babbage"] { #expect(!text.contains(secret)) }
        }
    }

    /// Runs `before`, kills Campus and starts it again, then runs `afterwards`.
    private func withRestart(
        _ options: BrowserOptions = BrowserOptions(),
        _ before: @Sendable (Browser, String) async throws -> Void,
        afterwards: @Sendable (Browser, String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let database = ["--database", directory.appending(path: "campus.sqlite").path]
            try await withBrowser(options) { browser in
                let arguments = ["serve", "--port", "0", "--api-port", "0"] + database
                let ports = try await withCampus(arguments: arguments) { campus in
                    try await before(browser, try campus.url())
                    await campus.kill()
                    return ["--port", try port(of: campus.url()), "--api-port", try port(of: campus.url(of: .api))]
                }
                if options.isJavaScriptEnabled {
                    try await browser.waitFor("#connection", text: "Connection lost")
                }
                try await withCampus(arguments: ["serve"] + ports + database) { campus in
                    try await afterwards(browser, try campus.url())
                }
            }
        }
    }

    private func port(of url: String) throws -> String {
        try #require(url.split(separator: ":").last).description
    }
}
