import CampusModels
import CampusTestTools
import Foundation
import GRDB
import Testing
import WebDriver

/// Tests of the settings, and of sessions whose tokens expire or are refused.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SettingsTests {
    @Test(arguments: [true, false], ["breadcrumb", "to-do"])
    func `a session ended from another browser shows the login form with the reason`(
        isScripted: Bool,
        clicking part: String
    ) async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = isScripted
        let optionsThere = options
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { here in
                try await here.open(root)
                try await here.signIn()
                try await here.waitFor("section", text: "Ada Lovelace")
                try await withBrowser(optionsThere) { there in
                    try await there.open("\(root)/course/abc123")
                    try await there.signIn()
                    try await there.waitFor("section", text: "Charles Babbage")

                    try await here.click("a", text: "Settings")
                    try await here.waitFor("#section-user", text: "ada@campus.example")
                    try await here.waitFor("#section-sessions li", text: "Chrome on Linux · this session")
                    #expect(try await here.findAll("#section-sessions li").count == 2)
                    try await here.click("#section-sessions button", text: "End")
                    try await here.waitForAbsence(of: "#section-sessions li:nth-child(2)")

                    if part == "to-do" {
                        try await there.click("#section-to-dos input[type=checkbox]")
                        if !isScripted { try await there.click("#section-to-dos button", text: "Save") }
                    } else {
                        try await there.click("[aria-label=Breadcrumb] a", text: "Dashboard")
                    }
                    try await there.waitFor("h1", text: "Sign in")
                    try await there.waitFor("[role=status]", text: "You have been signed out")
                    #expect(try await !there.pageText.contains("Ada"))
                    try await there.signIn()
                    try await there.waitFor("section", text: "Ada Lovelace")
                }
                try await here.click("button", text: "Sync")
                try await here.waitFor("#section-user", text: "Ada Lovelace")
            }
        }
    }

    @Test func `sessions that fail to load can be retried, and ending the current session signs out`() async throws {
        try await withCampusInBrowser(faults: "fail=/sessions:1") { browser, root in
            try await browser.open("\(root)/settings")
            try await browser.signIn()
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            try await browser.click("#section-sessions [role=alert] button", text: "Try again")
            try await browser.waitFor("#section-sessions li", text: "this session")
            try await browser.click("#section-sessions button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
            #expect(try await !browser.pageText.contains("You have been signed out"), "the user has signed out")
        }
    }

    @Test func `sessions are ended without script by loading pages`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        let browserOptions = options
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser(browserOptions) { browser in
                _ = try await campus.signIn(LoginRequest(email: "ada@campus.example", password: "correct horse"))
                try await browser.open(root)
                try await browser.signIn()
                try await browser.click("a", text: "Settings")
                try await browser.waitFor("#section-sessions li:nth-child(2)")
                try await browser.click("button", text: "End all others")
                try await browser.waitForAbsence(of: "#section-sessions li:nth-child(2)")
                try await browser.click("button", text: "Sync")
                try await browser.waitFor("#section-user", text: "Ada Lovelace")
                try await browser.click("#section-sessions button", text: "Sign out")
                try await browser.waitFor("h1", text: "Sign in")
            }
        }
    }

    @Test(.rule("N3")) func `a user stays signed in after several access tokens are refused`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { browser in
                try await browser.open("\(root)/settings")
                try await browser.signIn()
                try await browser.waitFor("#section-user", text: "Ada Lovelace")
                for round in 1...4 {
                    try await campus.inject(faults: "unauthorized=/me:1")
                    try await browser.click("button", text: "Sync")
                    // The first response belongs to the sign-in.
                    try await campus.output.wait { Self.count(of: "GET /me 200 in ", in: $0) > round }
                }
                #expect(await Self.refreshes(in: campus.output.lines) >= 4)
                try await browser.open(root)
                try await browser.waitFor("section", text: "Ada Lovelace")
            }
        }
    }

    @Test func `a user stays signed in when access tokens expire after five seconds`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { browser in
                try await browser.open("\(root)/settings")
                try await browser.signIn()
                try await browser.waitFor("#section-user", text: "Ada Lovelace")
                // The app notices that its token is about to expire when a request needs the token.
                var syncs = 1
                while await Self.refreshes(in: campus.output.lines) < 1 {
                    syncs += 1
                    let expected = syncs
                    try await browser.click("button", text: "Sync")
                    try await campus.output.wait { Self.count(of: "GET /me 200 in ", in: $0) >= expected }
                }
                try await browser.open(root)
                try await browser.waitFor("section", text: "Ada Lovelace")
            }
        }
    }

    @Test(.rule("M16")) func `a sync in one tab changes the greeting in the other`() async throws {
        try await withTemporaryDirectory { directory in
            let database = directory.appending(path: "campus.sqlite").path
            try await withCampus(arguments: ["serve", "--port", "0", "--database", database]) { campus in
                try await withBrowser { browser in
                    try await browser.open(campus.url())
                    try await browser.signIn()
                    try await browser.waitFor("#section-user", text: "Welcome back, Ada Lovelace.")
                    let dashboard = try await browser.window
                    try await browser.switchTo(try await browser.newWindow())
                    try await browser.open(campus.url() + "/settings")
                    try await browser.waitFor("#section-user", text: "Ada Lovelace")
                    try await DatabaseQueue(path: database).write { db in
                        try db.execute(sql: "UPDATE user SET name = 'Ada King' WHERE id = 'ada'")
                    }
                    try await browser.click("button", text: "Sync")
                    try await browser.waitFor("#section-user", text: "Ada King")
                    try await browser.switchTo(dashboard)
                    try await browser.waitFor("#section-user", text: "Welcome back, Ada King.")
                }
            }
        }
    }

    @Test(.rule("N2")) func `two tabs stay signed in when many requests are refused with 401`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { browser in
                try await browser.open(root)
                try await browser.signIn()
                try await browser.waitFor("#section-week", text: "Appointments this week")
                let first = try await browser.window
                let second = try await browser.newWindow()
                try await browser.switchTo(second)
                try await browser.open(root)
                try await browser.waitFor("#section-week", text: "Appointments this week")

                let paths = ["/me", "/courses", "/messages", "/courses/*/schedule", "/courses/*/todos"]
                for round in 1...3 {
                    try await campus.inject(faults: paths.map { "unauthorized=\($0):1" }.joined(separator: ","))
                    for window in [first, second] {
                        try await browser.switchTo(window)
                        try await browser.click("button", text: "Refresh")
                    }
                    // Counts the API's own lines, as a later click may cancel a refused request.
                    try await campus.output.wait { $0.count { $0.hasSuffix(" 401") } >= round * paths.count }
                }
                for window in [first, second] {
                    try await browser.switchTo(window)
                    try await browser.click("button", text: "Refresh")
                    try await browser.waitFor("section", text: "Ada Lovelace")
                    try await browser.waitFor("section", text: "Analytical Engines")
                }
                #expect(await Self.count(of: "POST /token/refresh 401", in: campus.output.lines) == 0)
            }
        }
    }

    @Test(.rule("N11")) func `an app killed right after the API has rotated its tokens returns signed in`() async throws
    {
        try await withTemporaryDirectory { directory in
            let database = directory.appending(path: "campus.sqlite").path
            let apiArguments = ["api", "--port", "0", "--database", database, "--faults", ""]
            try await withCampus(arguments: apiArguments, awaiting: [.api]) { api in
                let arguments = ["app", "--api", try api.url(of: .api), "--sessions", "\(database)-sessions"]
                try await withBrowser { browser in
                    var port = "0"
                    // The app may have stored the new tokens or not; the user stays signed in.
                    for round in 1...4 {
                        port = try await withCampus(arguments: arguments + ["--port", port], awaiting: [.app]) { app in
                            if round == 1 {
                                try await browser.open("\(app.url())/settings")
                                try await browser.signIn()
                            } else {
                                try await browser.refresh()
                            }
                            try await browser.waitFor("#section-user", text: "Ada Lovelace")
                            try await browser.waitFor("#section-sessions", text: "this session")
                            try await api.inject(faults: "unauthorized=/me:1")
                            let rotations = Self.rotations(in: await api.output.lines)
                            try await browser.click("button", text: "Sync")
                            try await api.output.wait { Self.rotations(in: $0) > rotations }
                            await app.kill()
                            return try #require(try app.url().split(separator: ":").last).description
                        }
                    }
                }
                #expect(await Self.count(of: "POST /token/refresh 401", in: api.output.lines) == 0)
            }
        }
    }

    /// Runs Campus with an API that accepts faults and whose access tokens are valid for 5 seconds.
    private func withFaultyCampus(_ body: @Sendable (Campus) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let database = directory.appending(path: "campus.sqlite").path
            try await withCampus(
                arguments: ["serve", "--port", "0", "--database", database, "--faults", ""],
                body
            )
        }
    }

    /// Returns how often the app has received new tokens.
    private static func refreshes(in lines: [String]) -> Int { count(of: "POST /token/refresh 200 in ", in: lines) }

    /// Returns how often the API has issued new tokens, by its own lines.
    private static func rotations(in lines: [String]) -> Int { lines.count { $0.hasSuffix("POST /token/refresh 200") } }

    private static func count(of text: String, in lines: [String]) -> Int { lines.count { $0.contains(text) } }
}
