import CampusModels
import Foundation
import TestSupport
import Testing
import WebDriver

/// Who the user is and where they are logged in, and what becomes of a session whose tokens wear out.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SettingsTests {
    @Test func `a session that is ended from another browser lands on the login, with the reason`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { here in
                try await here.open(root)
                try await here.logIn()
                try await here.waitFor("section", text: "Ada Lovelace")
                try await withBrowser { there in
                    try await there.open("\(root)/course/abc123")
                    try await there.logIn()
                    try await there.waitFor("section", text: "Charles Babbage")

                    try await here.click("a", text: "Settings")
                    try await here.waitFor("#section-user", text: "ada@campus.example")
                    try await here.waitFor("#section-sessions li", text: "Chrome on Linux · this session")
                    #expect(try await here.findAll("#section-sessions li").count == 2)
                    try await here.click("#section-sessions button", text: "End")
                    try await here.waitForAbsence(of: "#section-sessions li:nth-child(2)")

                    try await there.click("a", text: "All courses")
                    try await there.waitFor("h1", text: "Log in")
                    try await there.waitFor("[role=status]", text: "You have been logged out")
                    #expect(try await !there.pageText.contains("Ada"))
                    try await there.logIn()
                    try await there.waitFor("section", text: "Ada Lovelace")
                }
                try await here.click("button", text: "Sync")
                try await here.waitFor("#section-user", text: "Ada Lovelace")
            }
        }
    }

    @Test func `sessions that do not come are asked for again, and ending one's own is to log out`() async throws {
        try await withCampusInBrowser(faults: "fail=/sessions:1") { browser, root in
            try await browser.open("\(root)/settings")
            try await browser.logIn()
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            try await browser.click("#section-sessions [role=alert] button", text: "Try again")
            try await browser.waitFor("#section-sessions li", text: "this session")
            try await browser.click("#section-sessions button", text: "Log out")
            try await browser.waitFor("h1", text: "Log in")
            #expect(try await !browser.pageText.contains("You have been logged out"), "they did it themselves")
        }
    }

    @Test func `without script sessions are ended by loading pages`() async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = false
        let browserOptions = options
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser(browserOptions) { browser in
                _ = try await campus.logIn(LoginRequest(email: "ada@campus.example", password: "correct horse"))
                try await browser.open(root)
                try await browser.logIn()
                try await browser.click("a", text: "Settings")
                try await browser.waitFor("#section-sessions li:nth-child(2)")
                try await browser.click("button", text: "End all others")
                try await browser.waitForAbsence(of: "#section-sessions li:nth-child(2)")
                try await browser.click("button", text: "Sync")
                try await browser.waitFor("#section-user", text: "Ada Lovelace")
                try await browser.click("#section-sessions button", text: "Log out")
                try await browser.waitFor("h1", text: "Log in")
            }
        }
    }

    @Test(.rule("N3")) func `one is logged in still after token upon token has been refused`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { browser in
                try await browser.open("\(root)/settings")
                try await browser.logIn()
                try await browser.waitFor("#section-user", text: "Ada Lovelace")
                for round in 1...4 {
                    try await campus.inject(faults: "unauthorized=/me:1")
                    try await browser.click("button", text: "Sync")
                    // The first one answered is the log-in's.
                    try await campus.output.wait { Self.count(of: "GET /me 200 in ", in: $0) > round }
                }
                #expect(await Self.refreshes(in: campus.output.lines) >= 4)
                try await browser.open(root)
                try await browser.waitFor("section", text: "Ada Lovelace")
            }
        }
    }

    @Test func `with access tokens of five seconds one stays logged in when they expire`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { browser in
                try await browser.open("\(root)/settings")
                try await browser.logIn()
                try await browser.waitFor("#section-user", text: "Ada Lovelace")
                // The app finds out that its token is about to expire when it needs one.
                var syncs = 1
                while await Self.refreshes(in: campus.output.lines) < 2 {
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

    @Test(.rule("N2")) func `two tabs in one storm of 401s stay logged in`() async throws {
        try await withFaultyCampus { campus in
            let root = try campus.url()
            try await withBrowser { browser in
                try await browser.open(root)
                try await browser.logIn()
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
                    // By the API's own lines: a request that a later click has cancelled is refused all the same.
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

    @Test(.rule("N11")) func `an app that is killed as soon as the API has rotated its tokens comes back logged in`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let database = directory.appending(path: "campus.sqlite").path
            let apiArguments = ["api", "--port", "0", "--database", database, "--faults", ""]
            try await withCampus(arguments: apiArguments, awaiting: [.api]) { api in
                let arguments = ["app", "--api", try api.url(of: .api), "--sessions", "\(database)-sessions"]
                try await withBrowser { browser in
                    var port = "0"
                    // Whether the app has stored the new tokens by then is luck; either way nobody notices.
                    for round in 1...4 {
                        port = try await withCampus(arguments: arguments + ["--port", port], awaiting: [.app]) { app in
                            if round == 1 {
                                try await browser.open("\(app.url())/settings")
                                try await browser.logIn()
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

    /// Campus with an API whose faults can be changed, and whose access tokens are valid for five seconds.
    private func withFaultyCampus(_ body: @Sendable (Campus) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let database = directory.appending(path: "campus.sqlite").path
            try await withCampus(
                arguments: ["serve", "--port", "0", "--database", database, "--faults", ""],
                body
            )
        }
    }

    /// How often the app has been given new tokens.
    private static func refreshes(in lines: [String]) -> Int { count(of: "POST /token/refresh 200 in ", in: lines) }

    /// How often the API has given new tokens, by its own lines.
    private static func rotations(in lines: [String]) -> Int { lines.count { $0.hasSuffix("POST /token/refresh 200") } }

    private static func count(of text: String, in lines: [String]) -> Int { lines.count { $0.contains(text) } }
}
