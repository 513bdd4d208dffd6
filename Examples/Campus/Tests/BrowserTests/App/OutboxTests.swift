import CampusModels
import CampusTestTools
import Testing
import WebDriver

/// Tests of changes that reach the API although it is down, the app is killed, or the user must
/// decide.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OutboxTests {
    private let changes = "/courses/*/todos/*"
    private let table = "#section-to-dos li:nth-child(2)"
    private let essay = "#section-to-dos li:nth-child(3)"
    private let pending = "#section-changes li"

    private func revisions(_ campus: Campus) async throws -> [Int] {
        try await campus.adas("/courses/abc123/todos", as: [Todo].self).map(\.rev)
    }

    /// Opens a path in a tab of its own, and returns the tab.
    private func openTab(_ path: String, in browser: Browser) async throws -> BrowserWindow {
        let tab = try await browser.newWindow()
        try await browser.switchTo(tab)
        try await browser.open(path)
        return tab
    }

    /// Opens pages for changes of each kind, kills the API, makes the changes, and kills the app.
    ///
    /// - Returns: Campus with the same files and ports, and the tab that shows the dashboard.
    private func makeChanges(
        in browser: Browser,
        with campus: SplitCampus
    ) async throws -> (campus: SplitCampus, dashboard: BrowserWindow) {
        try await campus.withAPI { api in
            try await campus.withApp(at: api.url(of: .api)) { app in
                let root = try app.url()
                try await browser.open("\(root)/course/abc123")
                try await browser.signIn()
                try await browser.waitFor("\(table) input[type=checkbox]")
                let course = try await browser.window
                let product = try await openTab("\(root)/product/nanosecond", in: browser)
                try await browser.waitFor("#section-favorite", text: "Not one of your favorites")
                let composer = try await openTab("\(root)/compose", in: browser)
                try await browser.type("The engine runs.", into: "#text")
                try await browser.click("button", text: "Choose recipients")
                try await browser.click("label", text: "Charles Babbage")
                try await browser.click("#sheet button", text: "Choose")
                try await browser.waitFor("#recipients", text: "Charles Babbage")
                await api.kill()

                try await browser.switchTo(course)
                try await browser.click("\(table) input[type=checkbox]")
                try await browser.waitFor(table, text: "Not saved yet")
                try await browser.switchTo(product)
                try await browser.click("#section-favorite button", text: "Add")
                try await browser.waitFor("#section-favorite", text: "★ One of your favorites")
                try await browser.click("#section-shop button", text: "Buy")
                try await browser.waitFor(
                    "#section-shop [role=status]",
                    text: "A purchase of this is on its way since"
                )
                try await browser.switchTo(composer)
                try await browser.click("button", text: "Send")
                try await browser.waitFor("\(pending):nth-child(4)", text: "The campus server cannot be reached.")
                let next = try campus.again(api, app)
                await app.kill()
                return (campus: next, dashboard: composer)
            }
        }
    }

    @Test(.rule("D9")) func `changes from the time without an API arrive once, even if the app is killed`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            try await withBrowser { browser in
                let (campus, dashboard) = try await makeChanges(in: browser, with: SplitCampus(in: directory))
                try await browser.switchTo(dashboard)
                try await browser.waitFor("#connection", text: "Connection lost")
                try await campus.withAPI { api in
                    try await campus.withApp(at: api.url(of: .api)) { app in
                        for exchange in [
                            "PUT /courses/abc123/todos/abc123-2 200", "PUT /favorites/nanosecond 204",
                            "POST /purchases 201", "POST /messages 201",
                        ] {
                            try await app.answered(exchange, times: 1)
                        }
                        try await browser.waitForAbsence(of: "#connection:not([hidden])")
                        try await browser.waitForAbsence(of: pending)
                        try await browser.waitFor("#section-messages li", text: "The engine runs.")
                        #expect(try await browser.findAll("#section-messages li").count == 1)
                        #expect(try await browser.findAll("#section-changes li").isEmpty)
                        let messages = try await api.adas("/messages", as: MessagePage.self).messages
                        #expect(messages.map(\.text) == ["The engine runs."])
                        #expect(try await revisions(api) == [1, 1, 0])
                        #expect(try await api.adas("/favorites", as: [Product.ID].self) == ["nanosecond"])
                        #expect(try await api.adas("/purchases", as: [Purchase].self).map(\.product) == ["nanosecond"])
                    }
                }
            }
        }
    }

    @Test func `a tick stays pending while the API is down, and arrives when the API is back`() async throws {
        try await withTemporaryDirectory { directory in
            try await withBrowser { browser in
                let campus = SplitCampus(in: directory)
                try await campus.withAPI { api in
                    let url = try api.url(of: .api)
                    try await campus.withApp(at: url) { app in
                        try await browser.open("\(app.url())/course/abc123")
                        try await browser.signIn()
                        try await browser.waitFor("\(table) input[type=checkbox]")
                        await api.kill()
                        try await browser.click("\(table) input[type=checkbox]")
                        try await browser.waitFor(table, text: "Not saved yet")
                        try await browser.click("a", text: "Dashboard")
                        try await browser.waitFor(pending, text: "The campus server cannot be reached.")
                        try await campus.again(api, app).withAPI { api in
                            try await browser.waitForAbsence(of: pending)
                            #expect(try await revisions(api) == [1, 1, 0])
                            try await browser.open("\(app.url())/course/abc123")
                            try await browser.waitFor("\(table) s")
                            try await browser.waitForAbsence(of: "\(table) .muted")
                        }
                    }
                }
            }
        }
    }

    @Test(.rule("D9")) func `a tick that is being sent when the app is killed arrives once`() async throws {
        try await withTemporaryDirectory { directory in
            try await withBrowser { browser in
                let campus = SplitCampus(in: directory)
                try await campus.withAPI { api in
                    let url = try api.url(of: .api)
                    let next = try await campus.withApp(at: url) { app in
                        try await browser.open("\(app.url())/course/abc123")
                        try await browser.signIn()
                        try await browser.waitFor("\(table) input[type=checkbox]")
                        try await api.inject(faults: "hold=\(changes)")
                        try await browser.click("\(table) input[type=checkbox]")
                        try await browser.waitFor(table, text: "Not saved yet")
                        let next = try campus.again(api, app)
                        await app.kill()
                        return next
                    }
                    try await browser.waitFor("#connection", text: "Connection lost")
                    try await next.withApp(at: url) { app in
                        try await browser.waitForAbsence(of: "#connection:not([hidden])")
                        try await browser.waitFor("\(table) s")
                        try await browser.waitFor(table, text: "Not saved yet")
                        try await api.inject(faults: "")
                        try await browser.waitForAbsence(of: "\(table) .muted")
                        try await browser.waitFor("\(table) s")
                        let revisions = try await revisions(api)
                        #expect(revisions == [1, 1, 0])
                    }
                }
            }
        }
    }

    @Test func `a refused tick is sent again or discarded on the dashboard`() async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            func refuse(_ todo: String) async throws {
                try await browser.click("a", text: "Analytical Engines")
                try await browser.waitFor("\(todo) input[type=checkbox]")
                try await campus.inject(faults: "invalid=\(changes):1")
                try await browser.click("\(todo) input[type=checkbox]")
                try await browser.waitFor("#section-to-dos [role=alert]", text: "The term is over")
                try await browser.click("a", text: "Dashboard")
                try await browser.waitFor("#section-changes [role=alert]", text: "The term is over")
            }
            try await refuse(table)
            try await browser.waitFor("#section-changes li", text: "Write the table for the Bernoulli numbers")
            try await browser.click("#section-changes button", text: "Send again")
            try await browser.waitForAbsence(of: "#section-changes li")
            try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: 1)
            try await refuse(essay)
            try await browser.click("#section-changes button", text: "Discard")
            try await browser.waitForAbsence(of: "#section-changes li")
            #expect(try await revisions(campus) == [1, 1, 0])
        }
    }

    @Test(arguments: [("Keep for the next sign-in", [1, 1, 0]), ("Discard", [1, 0, 0])])
    func `a sign-out asks about the changes that were not sent`(answer: String, expected: [Int]) async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor("\(table) input[type=checkbox]")
            try await campus.inject(faults: "fail=\(changes)")
            try await browser.click("\(table) input[type=checkbox]")
            try await browser.waitFor(table, text: "Not saved yet")
            try await browser.click("a", text: "Dashboard")
            try await browser.waitFor(pending, text: "It is not confirmed yet")
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("dialog:modal h2", text: "Keep your changes that were not sent?")
            try await browser.click("dialog button", text: "Cancel")
            try await browser.waitForAbsence(of: "dialog[open]")
            try await browser.click("button", text: "Sign out")
            try await browser.click("dialog button", text: answer)
            try await browser.waitFor("h1", text: "Sign in")
            try await campus.inject(faults: "")
            try await browser.signIn()
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            if expected == [1, 1, 0] { try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: 1) }
            try await browser.waitForAbsence(of: pending)
            #expect(try await revisions(campus) == expected)
        }
    }
}
