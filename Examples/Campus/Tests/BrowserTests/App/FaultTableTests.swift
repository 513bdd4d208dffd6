import CampusModels
import CampusTestTools
import Testing
import WebDriver

/// Tests of every section of every page, and of its buttons, when replies of the API do not come.
@Suite(.rule("M13"), .serialized, .timeLimit(.minutes(10)))
struct FaultTableTests {
    private func perform(_ steps: [Step], in browser: Browser, at root: String) async throws {
        for step in steps {
            switch step {
            case .open(let path): try await browser.open(root + path)
            case .type(let text, let field): try await browser.type(text, into: field)
            case .click(let css, let text): try await browser.click(css, text: text.isEmpty ? nil : text)
            case .see(let css, let text): try await browser.waitFor(css, text: text)
            case .miss(let css, let text): try await browser.waitForAbsence(of: css, text: text)
            }
        }
    }

    /// Checks the rows of pages that are open at the same time.
    private func check(_ visits: [FaultVisit], _ fault: Fault, _ browser: Browser, _ campus: Campus) async throws {
        let (root, first) = (try campus.url(), try await browser.window)
        var tabs: [(tab: BrowserWindow, visit: FaultVisit)] = []
        /// Checks a phase of all rows of a tab; a row that fails leaves the others.
        func see(_ phase: String, in visit: FaultVisit, _ steps: (FaultRow) -> [Step]) async {
            for row in visit.rows {
                do {
                    try await perform(steps(row), in: browser, at: root)
                } catch {
                    Issue.record("\(row.name), \(fault), \(phase): \(error)")
                }
            }
        }
        for visit in visits {
            tabs.append((tab: try await browser.newWindow(), visit: visit))
            try await browser.switchTo(tabs[tabs.count - 1].tab)
            try await perform(visit.before, in: browser, at: root)
        }
        let rules = Set(visits.flatMap(\.rows).map { fault.rule(of: $0.api, isChange: $0.isChange) })
        try await campus.inject(faults: rules.sorted().joined(separator: ","))
        for (tab, visit) in tabs {
            try await browser.switchTo(tab)
            try await perform(visit.during, in: browser, at: root)
            if fault.hasWait { await see("while it waits", in: visit, \.waiting) }
        }
        if fault != .slow {
            for (tab, visit) in tabs {
                try await browser.switchTo(tab)
                await see("after it", in: visit) { $0.problem(fault) }
            }
        }
        try await campus.inject(faults: "")
        for (tab, visit) in tabs {
            try await browser.switchTo(tab)
            await see("the way out", in: visit) { fault == .slow ? $0.done : $0.wayOut(fault) }
            try await browser.closeWindow()
        }
        try await browser.switchTo(first)
    }

    /// Checks the sign-out, which always succeeds, and then the sign-in.
    private func checkSession(_ fault: Fault, _ browser: Browser, _ campus: Campus) async throws {
        try await campus.inject(faults: fault.rule(of: "/logout", isChange: true))
        try await browser.click("#section-sessions button", text: "Sign out")
        try await browser.waitFor("h1", text: "Sign in")
        try await campus.inject(faults: fault.rule(of: "/login", isChange: true))
        try await browser.signIn()
        if fault.hasWait { try await browser.waitFor("button[disabled]", text: "Signing in …") }
        if fault != .slow {
            let reason = fault == .refused ? "The term is over" : fault.problem
            try await browser.waitFor("#section-login [role=alert]", text: reason)
        }
        try await campus.inject(faults: "")
        if fault != .slow {
            try await browser.type("correct horse", into: "#password")
            try await browser.click("button", text: "Sign in")
        }
        try await browser.waitFor("h1", text: "Dashboard")
    }

    @Test(.rule("A19", "A20", "A22", "A27", "A31"), arguments: Fault.allCases)
    func `every section says what is missing and why, and its buttons work`(fault: Fault) async throws {
        try await withFaultyCampus(at: "/settings", isSignedIn: false, sentMessages: 30) { browser, campus in
            try await browser.signIn()
            try await browser.waitFor("h1", text: "Settings")
            // Another session, which the settings end.
            _ = try await campus.signIn(LoginRequest(email: "ada@campus.example", password: "correct horse"))
            for visits in FaultVisit.groups { try await check(visits, fault, browser, campus) }
            try await checkSession(fault, browser, campus)
        }
    }

    @Test(.rule("A31")) func `changes from another tab are shown without a refresh message`() async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            try await browser.click("button", text: "Refresh")
            try await browser.waitFor("#section-user [role=status]", text: "Refreshed.")
            let week = try await browser.find("#section-week").text
            try await browser.executeScript(
                """
                window.said = [];
                const note = () => said.push(document.querySelector('#section-user [role=status]').innerText);
                new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
                """
            )
            let (dashboard, other) = (try await browser.window, try await browser.newWindow())
            try await browser.switchTo(other)
            let steps: [Step] = [
                .open("/course/abc123"), .click("#section-to-dos li:nth-child(2) input[type=checkbox]", ""),
                .see("#section-to-dos li:nth-child(2) s"), .miss("#section-to-dos .muted", "Not saved yet"),
                .open("/compose"), .type("The engine runs.", into: "#text"), .click("button", "Choose recipients"),
                .click("label", "Charles Babbage"), .click("#sheet button", "Choose"),
                .see("#recipients", "Charles Babbage"), .click("button", "Send"),
            ]
            try await perform(steps, in: browser, at: campus.url())
            try await browser.switchTo(dashboard)
            try await browser.waitFor("#section-messages li", text: "The engine runs.")
            try await browser.waitForAbsence(of: "#section-week", text: week)
            let said = try await browser.executeScript("return said.join()", returning: String.self)
            #expect(!said.isEmpty && !said.contains("Refreshing"))
        }
    }
}
