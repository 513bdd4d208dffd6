import Testing
import WebDriver

/// Tests of the executable that `make run` builds, with its own transport.
@Suite(.timeLimit(.minutes(10)))
struct DemoTests {
    @Test func `the demo loads a course and saves a tick over URLSession`() async throws {
        let box = "#section-to-dos li:nth-child(2) input[type=checkbox]"
        try await withCampusInBrowser(executable: builtExecutable("campus-demo")) { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await browser.waitFor(box)
            try await browser.click(box)
            try await browser.waitFor("#section-to-dos li:nth-child(2) s")
            try await browser.waitForAbsence(of: "#section-to-dos li:nth-child(2) .muted")
            try await browser.open("\(root)/course/abc123")
            try await browser.waitFor("#section-to-dos li:nth-child(2) s")
        }
    }
}
