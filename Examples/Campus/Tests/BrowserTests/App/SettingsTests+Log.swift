import CampusModels
import Foundation
import Testing
import WebDriver

/// A test of Campus's log at the level `trace`.
extension SettingsTests {
    private var grace: LoginRequest { LoginRequest(email: "grace@campus.example", password: "battery staple") }

    @Test func `the log of a session has a line for every request but no tokens, cookies or passwords`() async throws {
        try await withTemporaryDirectory { directory in
            let events = directory.appending(path: "events")
            let arguments = [
                "serve", "--port", "0", "--database", directory.appending(path: "campus.sqlite").path,
                "--event-logs", events.path, "--faults", "", "--log-level", "trace",
            ]
            try await withCampus(arguments: arguments) { campus in
                var secrets = try await visit(campus)
                let first = try await campus.signIn(grace)
                let second = try await campus.refresh(first)
                secrets += [first, second].flatMap { [$0.accessToken, $0.refreshToken] }
                for token in secrets.suffix(4) { #expect(Self.holdsToken(token), "or no leak is found") }

                for request in Self.requests {
                    try await campus.output.wait { lines in lines.contains { $0.contains(request) } }
                }
                let lines = await campus.output.lines
                let files = try FileManager.default.contentsOfDirectory(at: events, includingPropertiesForKeys: nil)
                let texts = try lines + files.map { try String(contentsOf: $0, encoding: .utf8) }
                #expect(!files.isEmpty)
                let leaks = texts.filter { text in Self.holdsToken(text) || secrets.contains { text.contains($0) } }
                #expect(leaks == [])
            }
        }
    }

    /// A line of the app for each kind of request to the API, and a line of the API itself.
    private static let requests = [
        "POST /login 200 in ", "GET /me 401 in ", "POST /token/refresh 200 in ", "GET /courses/lin201 200 in ",
        "POST /messages 201 in ", "GET /sessions 200 in ", "POST /logout 204 in ", "] POST /login 200",
    ]

    /// Returns whether a text contains 256 bits in base64url, as every token of the API does.
    private static func holdsToken(_ text: String) -> Bool {
        text.contains(/(?:^|[^A-Za-z0-9_\-])[A-Za-z0-9_\-]{43}(?![A-Za-z0-9_\-])/)
    }

    /// Uses the app as a user does, and returns the secrets of the visit.
    private func visit(_ campus: Campus) async throws -> [String] {
        let root = try campus.url()
        return try await withBrowser { browser in
            var secrets = [grace.password]
            try await browser.open(root)
            secrets += try await browser.cookies.filter(\.httpOnly).map(\.value)
            try await browser.signIn(email: grace.email, password: grace.password)
            try await browser.waitFor("section", text: "Grace Hopper")
            try await browser.open("\(root)/course/lin201")
            try await browser.waitFor("section", text: "Emmy Noether")
            try await browser.open("\(root)/compose")
            try await browser.type("The engine runs.", into: "#text")
            try await browser.click("button", text: "Choose recipients")
            try await browser.click("label", text: "Ada Lovelace")
            try await browser.click("#sheet button", text: "Choose")
            try await browser.waitFor("#recipients", text: "Ada Lovelace")
            try await browser.click("button", text: "Send")
            try await browser.waitFor("#section-messages", text: "The engine runs.")
            try await campus.inject(faults: "unauthorized=/me:1")
            try await browser.click("a", text: "Settings")
            // The page before it has this button, too.
            try await browser.waitFor("h1", text: "Settings")
            try await browser.click("button", text: "Sync")
            try await browser.waitFor("#section-sessions li", text: "this session")
            try await campus.output.wait { lines in lines.contains { $0.contains("GET /me 401 in ") } }
            secrets += try await browser.cookies.filter(\.httpOnly).map(\.value)
            #expect(Set(secrets).count == 3, "the password, and the cookies before and after the sign-in")
            try await browser.click("#section-sessions button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
            return secrets
        }
    }
}
