import CampusModels
import Testing
import WebDriver

/// Tests of the parts that all pages share.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PageTests {
    private let breadcrumb = "[aria-label=Breadcrumb]"

    @Test(arguments: [
        ("/course/abc123", "Analytical Engines", "Dashboard", "/"),
        ("/settings", "Settings", "Dashboard", "/"),
        ("/compose", "New message", "Dashboard", "/"),
        ("/product/cards", "Punched Cards, 100", "Campus shop", "/catalog"),
    ])
    func `a page shows its own name and a link to its parent, which opens without a page load`(
        path: String,
        title: String,
        parent: String,
        parentPath: String
    ) async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.waitForAbsence(of: breadcrumb)
            try await browser.open(campus.url() + path)
            try await browser.waitFor("\(breadcrumb) [aria-current=page]", text: title)
            try await browser.executeScript("document.body.dataset.mark = 'not loaded again'")
            try await browser.click("\(breadcrumb) a", text: parent)
            try await browser.waitFor("h1", text: parent)
            try await browser.waitFor("body[data-mark]")
            #expect(try await browser.currentURL == campus.url() + parentPath)
        }
    }

    @Test func `the name of the app opens the start page without a page load`() async throws {
        try await withFaultyCampus(at: "/settings") { browser, campus in
            try await browser.waitFor("h1", text: "Settings")
            try await browser.executeScript("document.body.dataset.mark = 'not loaded again'")
            try await browser.click("header > a", text: "Campus")
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.waitFor("body[data-mark]")
            #expect(try await browser.currentURL == campus.url() + "/")
        }
    }

    @Test func `times are shown in the language and the time zone of the reader, also after a redraw`() async throws {
        try await withFaultyCampus(at: "/settings") { browser, campus in
            let areLocal = """
                const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
                const times = [...document.querySelectorAll("#section-sessions time")];
                return times.map((time) => time.textContent === moments.format(new Date(time.dateTime)));
                """
            try await browser.waitFor("#section-sessions time")
            #expect(try await browser.executeScript(areLocal) == [true, true])
            _ = try await campus.signIn(LoginRequest(email: "ada@campus.example", password: "correct horse"))
            try await browser.refresh()
            try await browser.click("#section-sessions button", text: "End all others")
            try await browser.waitForAbsence(of: "#section-sessions li:nth-child(2)")
            #expect(try await browser.executeScript(areLocal) == [true, true])
        }
    }

    @Test func `a bar shows only while a response is slow`() async throws {
        try await withFaultyCampus(at: "/") { browser, _ in
            try await browser.waitFor("#section-courses", text: "Analytical Engines")
            try await browser.executeScript(
                """
                const real = window.fetch;
                const released = new Promise((resolve) => { window.release = resolve; });
                window.fetch = async (...request) => { await released; return real(...request); };
                """
            )
            try await browser.waitForAbsence(of: "#progress:not([hidden])")
            try await browser.click("a", text: "Linear Algebra")
            try await browser.waitFor("#progress[role=progressbar][aria-label]:not([hidden])")
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.executeScript("window.release()")
            try await browser.waitFor("h1", text: "Linear Algebra")
            try await browser.waitForAbsence(of: "#progress:not([hidden])")
        }
    }

    @Test func `a loading section says so to assistive technology`() async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            try await browser.waitFor("#section-courses", text: "Linear Algebra")
            try await campus.inject(faults: "hold=/courses/*/tutor")
            try await browser.click("a", text: "Linear Algebra")
            try await browser.waitFor("#section-tutor", text: "Loading …")
            try await campus.inject(faults: "")
            try await browser.waitFor("#section-tutor", text: "Emmy Noether")
            try await browser.waitForAbsence(of: "#section-tutor", text: "Loading …")
        }
    }

    @Test func `a running sync and a running sign-in are visible, and so is the end of a sync`() async throws {
        try await withFaultyCampus(at: "/settings", isSignedIn: false) { browser, campus in
            try await campus.inject(faults: "hold=/login")
            try await browser.signIn()
            try await browser.waitFor("button:disabled", text: "Signing in …")
            try await campus.inject(faults: "")
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            try await campus.inject(faults: "hold=/me")
            try await browser.click("button", text: "Sync")
            try await browser.waitFor("#section-user button[aria-busy=true]", text: "Sync")
            try await browser.waitFor("#section-user [role=status]", text: "Syncing …")
            try await campus.inject(faults: "")
            try await browser.waitFor("#section-user [role=status]", text: "Synced with the campus server.")
            try await browser.waitForAbsence(of: "#section-user button[aria-busy=true]")
        }
    }

    @Test func `a running refresh is visible, and so is its end, even if nothing has changed`() async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            try await browser.waitFor("#section-courses", text: "Analytical Engines")
            try await campus.inject(faults: "hold=/courses")
            try await browser.click("button", text: "Refresh")
            try await browser.waitFor("#section-user button[aria-busy=true]", text: "Refresh")
            try await browser.waitFor("#section-user [role=status]", text: "Refreshing …")
            try await campus.inject(faults: "")
            try await browser.waitFor("#section-user [role=status]", text: "Refreshed.")
            try await browser.waitForAbsence(of: "#section-user button[aria-busy=true]")
        }
    }

    @Test func `a running purchase and the end of a session show that they are running`() async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            try await browser.open(campus.url() + "/product/cards")
            try await browser.waitFor("#section-favorite", text: "Not one of your favorites")
            try await campus.inject(faults: "hold=/purchases")
            try await browser.click("#section-shop button", text: "Buy")
            try await browser.waitFor("#section-shop button:disabled", text: "Buying …")
            try await campus.inject(faults: "")
            try await browser.waitFor("#section-shop [role=status]", text: "You have bought this")

            _ = try await campus.signIn(LoginRequest(email: "ada@campus.example", password: "correct horse"))
            try await browser.open(campus.url() + "/settings")
            try await browser.waitFor("#section-sessions li:nth-child(2)")
            try await campus.inject(faults: "hold=/sessions/*")
            try await browser.click("#section-sessions button[aria-label]", text: "End")
            try await browser.waitFor("#section-sessions button:disabled", text: "End")
            try await campus.inject(faults: "")
            try await browser.waitForAbsence(of: "#section-sessions li:nth-child(2)")
            try await browser.waitFor("#section-sessions button:enabled", text: "Sign out")
            try await browser.waitFor("#section-sessions", text: "No other sessions.")
        }
    }

    @Test func `without a script, times have a time zone`() async throws {
        try await withFaultyCampus(at: "/settings", isScripted: false) { browser, _ in
            try await browser.waitFor("#section-sessions time", text: " UTC")
            let moment = try await browser.find("#section-sessions time").attribute("datetime")
            #expect(try #require(moment).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        }
    }
}
