import CampusTestTools
import Foundation
import Testing
import WebDriver

/// Tests of a course whose sections load, fail and retry separately.
@Suite(.rule("M8", "M9", "M13"), .serialized, .timeLimit(.minutes(10)))
struct CourseTests {
    @Test func `a failed section leaves the others visible, and its retry redraws only that section`() async throws {
        try await withCampusInBrowser(faults: "fail=/courses/*/schedule:1") { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await browser.waitFor("#section-schedule [role=alert]", text: "could not answer")
            try await browser.waitFor("#section-tutor", text: "Charles Babbage")
            try await browser.waitFor("#section-to-dos", text: "Bernoulli")
            // A section that is not redrawn keeps the mark of a script.
            try await browser.executeScript("document.querySelector('#section-tutor p').dataset.mark = 'kept'")
            try await browser.click("#section-schedule button", text: "Try again")
            try await browser.waitFor("#section-schedule", text: "Machine room")
            try await browser.waitForAbsence(of: "#section-schedule [role=alert]")
            try await browser.waitFor("#section-tutor p[data-mark=kept]")
        }
    }

    @Test func `a slow section does not delay the others`() async throws {
        try await withCampusInBrowser(faults: "slow=/courses/*/tutor:60s") { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await browser.waitFor("#section-schedule", text: "Machine room")
            try await browser.waitFor("#section-tutor .skeleton")
        }
    }

    @Test func `the dashboard leads to a course, and the back button returns to the dashboard`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.click("a", text: "Linear Algebra")
            try await browser.waitFor("section", text: "Emmy Noether")
            let address = try await browser.currentURL
            #expect(address == "\(root)/course/lin201")
            try await browser.back()
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.click("button", text: "Refresh")
            try await browser.waitFor("section", text: "Ada Lovelace")
        }
    }

    @Test func `an unknown or malformed address shows an error page`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/nowhere/at/all")
            try await browser.waitFor("h1", text: "Page not found")
            try await browser.open("\(root)/course/%00")
            try await browser.waitFor("h1", text: "Malformed address")
        }
    }

    @Test func `each section shows an error and a retry button if the API is unreachable`() async throws {
        try await withTemporaryDirectory { directory in
            let database = ["--port", "0", "--database", directory.appending(path: "campus.sqlite").path]
            try await withCampus(arguments: ["api"] + database, awaiting: [.api]) { api in
                let address = try api.url(of: .api)
                let sessions = ["--sessions", directory.appending(path: "sessions.sqlite").path]
                let arguments = ["app", "--port", "0", "--api", address] + sessions
                try await withCampus(arguments: arguments, awaiting: [.app]) { app in
                    let root = try app.url()
                    try await withBrowser { browser in
                        try await browser.open(root)
                        try await browser.signIn()
                        try await browser.waitFor("section", text: "Ada Lovelace")
                        await api.kill()
                        try await browser.open("\(root)/course/abc123")
                        for section in ["course", "tutor", "schedule", "to-dos"] {
                            try await browser.waitFor("#section-\(section) [role=alert]", text: "cannot be reached")
                            try await browser.waitFor("#section-\(section) button", text: "Try again")
                        }
                        try await browser.click("#section-tutor button", text: "Try again")
                        try await browser.waitFor("#section-tutor [role=alert]", text: "cannot be reached")
                    }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `a missing course shows one message with a link, and a 404 without the script`(
        isScripted: Bool
    ) async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = isScripted
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.open("\(root)/course/nope")
            try await browser.signIn()
            try await browser.showsMissingPage("Course not found", isScripted: isScripted)
            try await browser.click("a", text: "All courses")
            try await browser.waitFor("h1", text: "Dashboard")
        }
    }
}
