import CampusTestTools
import Testing
import WebDriver

/// Tests of writing a message, a flow with nested boards (B12, B24).
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ComposeTests {
    @Test func `a message with chosen recipients is written and sent`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("#section-week", text: "Appointments this week: 5. Open to-dos: 5.")
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("h1", text: "New message")
            #expect(try await browser.currentURL == "\(root)/compose")

            try await browser.click("button", text: "Send")
            try await browser.waitFor("[role=alert]", text: "Choose at least one recipient.")
            try await browser.type("<b>The engine runs.</b>", into: "#text")
            try await browser.click("button", text: "Choose recipients")
            try await browser.waitFor("#sheet h2", text: "Recipients")
            #expect(try await browser.currentURL == "\(root)/compose")
            try await browser.click("label", text: "Charles Babbage")
            try await browser.click("label", text: "Grace Hopper")
            try await browser.click("#sheet button", text: "Choose")

            try await browser.waitFor("#recipients", text: "Charles Babbage")
            try await browser.click("button", text: "Send")
            try await browser.waitFor("#section-messages", text: "<b>The engine runs.</b>")
            try await browser.waitFor("#section-messages", text: "To Charles Babbage, Grace Hopper")
            try await browser.waitFor("h1", text: "Dashboard")
            #expect(try await browser.currentURL == "\(root)/")
            let entries = try await browser.takeConsoleEntries()
            #expect(entries.isEmpty)
        }
    }

    @Test func `the back button leaves the picker and then the composer`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("h1", text: "New message")
            try await browser.type("Half a", into: "#text")
            try await browser.click("button", text: "Choose recipients")
            try await browser.waitFor("#sheet h2", text: "Recipients")
            try await browser.back()
            try await browser.waitForAbsence(of: "#sheet[open]")
            let text: String = try await browser.executeScript("return document.getElementById('text').value")
            #expect(text == "Half a")
            try await browser.back()
            try await browser.waitFor("h1", text: "Dashboard")
        }
    }

    @Test func `a link to the composer waits for the sign-in, and cancelling leads home`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/compose")
            try await browser.signIn()
            try await browser.waitFor("h1", text: "New message")
            try await browser.click("button", text: "Cancel")
            try await browser.waitFor("section", text: "Ada Lovelace")
        }
    }

    @Test(.rule("M18"), arguments: [true, false])
    func `a cancelled message is edited further, saved or discarded`(isScripted: Bool) async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = isScripted
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.click("a", text: "Write a message")
            try await browser.click("button", text: "Choose recipients")
            try await browser.click("label", text: "Charles Babbage")
            try await browser.click("#sheet button", text: "Choose")
            try await browser.waitFor("#recipients", text: "Charles Babbage")
            try await browser.type("Half a thought", into: "#text")
            try await browser.giveUp(then: "Keep editing")
            try await browser.waitFor("#recipients", text: "Charles Babbage")
            #expect(try await browser.find("#text").text == "Half a thought")

            try await browser.giveUp(then: "Save")
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("#recipients", text: "Charles Babbage")
            #expect(try await browser.find("#text").text == "Half a thought")

            try await browser.giveUp(then: "Discard")
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("#recipients", text: "No recipients yet")
            #expect(try await browser.find("#text").text.isEmpty)
        }
    }

    @Test func `unsent text stays after a reload and after another page, but not for the next user`() async throws {
        try await withCampusInBrowser { browser, root in
            let text = "return document.getElementById('text').value"
            try await browser.open("\(root)/compose")
            try await browser.signIn()
            try await browser.waitFor("h1", text: "New message")
            try await browser.type("Half a thought", into: "#text")
            try await browser.refresh()
            try await browser.waitFor("#text")
            #expect(try await browser.executeScript(text) == "Half a thought")
            try await browser.click("nav a", text: "Dashboard")
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("#text")
            #expect(try await browser.executeScript(text) == "Half a thought")

            try await browser.giveUp(then: "Discard")
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("#text")
            #expect(try await browser.executeScript(text) == "")

            try await browser.type("My secret", into: "#text")
            try await browser.click("nav a", text: "Dashboard")
            try await browser.click("button", text: "Sign out")
            try await browser.signIn(email: "grace@campus.example", password: "battery staple")
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("#text")
            #expect(try await browser.executeScript(text) == "")
        }
    }

    @Test(.rule("V10")) func `the draft question is a modal dialog that Escape hides, and the focus returns`()
        async throws
    {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/compose")
            try await browser.signIn()
            try await browser.type("Half a thought", into: "#text")
            try await browser.click("button", text: "Cancel")
            try await browser.waitFor("dialog:modal h2", text: "Keep the message as a draft?")
            #expect(try await browser.currentURL == "\(root)/compose")
            let isInside = "return document.activeElement.closest('dialog') !== null"
            #expect(try await browser.executeScript(isInside))
            try await browser.press(.escape)
            try await browser.waitForAbsence(of: "dialog[open]")
            let focused = "return document.activeElement.textContent"
            #expect(try await browser.executeScript(focused) == "Cancel")
            #expect(try await browser.find("#text").text == "Half a thought")

            // The question can be asked again, also after a reload of the page.
            try await browser.click("button", text: "Cancel")
            try await browser.waitFor("dialog:modal")
            try await browser.click("dialog button", text: "Discard")
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.waitForAbsence(of: "dialog[open]")
            let entries = try await browser.takeConsoleEntries()
            #expect(entries.isEmpty)
        }
    }

    @Test func `contacts that fail to load can be retried, and the picker can be cancelled`() async throws {
        try await withCampusInBrowser(faults: "fail=/contacts:1") { browser, root in
            try await browser.open("\(root)/compose")
            try await browser.signIn()
            try await browser.click("button", text: "Choose recipients")
            try await browser.click("#section-sheet-contacts [role=alert] button", text: "Try again")
            try await browser.waitFor("label", text: "Emmy Noether")
            try await browser.click("#section-sheet-cancel button", text: "Cancel")
            try await browser.waitFor("#recipients", text: "No recipients yet")
        }
    }
}

extension Browser {
    /// Cancels a message with a text, and answers the question that follows.
    fileprivate func giveUp(then answer: String) async throws {
        try await click("button", text: "Cancel")
        try await waitFor("dialog[open] h2", text: "Keep the message as a draft?")
        try await click("dialog button", text: answer)
        try await waitForAbsence(of: "dialog[open]")
    }
}
