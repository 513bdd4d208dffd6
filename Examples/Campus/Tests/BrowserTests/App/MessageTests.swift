import CampusModels
import CampusTestTools
import Testing
import WebDriver

/// M10: tests of messages that show at once despite faults of the API, with and without script.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct MessageTests {
    private let text = "The engine runs."

    /// Writes the message, injects `faults` into the API, and sends the message.
    private func write(_ browser: Browser, _ campus: Campus, faults: String) async throws {
        try await browser.waitFor("#section-user", text: "Ada Lovelace")
        try await browser.click("a", text: "Write a message")
        try await browser.waitFor("h1", text: "New message")
        try await browser.type(text, into: "#text")
        try await browser.click("button", text: "Choose recipients")
        try await browser.click("label", text: "Charles Babbage")
        try await browser.click("#sheet button", text: "Choose")
        try await browser.waitFor("#recipients", text: "Charles Babbage")
        try await campus.inject(faults: faults)
        try await browser.click("button", text: "Send")
    }

    /// Removes the API's faults except for `faults`, and reloads a page without script.
    private func heal(_ browser: Browser, _ campus: Campus, isScripted: Bool, faults: String = "") async throws {
        try await campus.inject(faults: faults)
        if !isScripted { try await browser.click("button", text: "Refresh") }
    }

    @Test(.rule("A2"), arguments: [true, false])
    func `a message shows at once as being sent, and then as sent`(isScripted: Bool) async throws {
        try await withFaultyCampus(at: "/", isScripted: isScripted) { browser, campus in
            try await write(browser, campus, faults: "hold=/messages")
            try await browser.waitFor("#section-messages li", text: text)
            try await browser.waitFor("#section-messages [role=status]", text: "It is being sent.")
            try await heal(browser, campus, isScripted: isScripted)
            try await browser.waitForAbsence(of: "#section-messages [role=status]")
            try await browser.waitFor("#section-messages li", text: "To Charles Babbage")
            #expect(try await campus.adas("/messages", as: MessagePage.self).messages.map(\.text) == [text])
        }
    }

    @Test(.rule("A4"), arguments: [true, false])
    func `a rejected message is removed and can be edited and sent again`(isScripted: Bool) async throws {
        try await withFaultyCampus(at: "/", isScripted: isScripted) { browser, campus in
            try await write(browser, campus, faults: "hold=/messages,reject=/messages:1")
            try await browser.waitFor("#section-messages [role=status]", text: "It is being sent.")
            // The page does not tell whether the message has reached the API.
            try await heal(browser, campus, isScripted: isScripted, faults: "reject=/messages:1")
            let reason = "The campus is closed for changes right now."
            try await browser.waitFor("#section-changes [role=alert]", text: reason)
            try await campus.inject(faults: "")
            try await browser.waitFor("#section-changes li", text: text)
            try await browser.waitForAbsence(of: "#section-messages li")
            #expect(try await campus.adas("/messages", as: MessagePage.self).messages.isEmpty)

            try await browser.click("button", text: "Edit")
            try await browser.waitFor("#recipients", text: "Charles Babbage")
            try await browser.type(" Again.", into: "#text")
            try await browser.click("button", text: "Send")
            try await browser.waitFor("#section-messages li", text: "\(text) Again.")
            try await browser.waitForAbsence(of: "#section-changes li")
        }
    }

    @Test(.rule("A5"), arguments: [true, false])
    func `a message whose response is lost is sent again and arrives once`(isScripted: Bool) async throws {
        try await withFaultyCampus(at: "/", isScripted: isScripted) { browser, campus in
            try await write(browser, campus, faults: "drop=/messages:1")
            try await browser.waitFor("#section-messages li", text: text)
            try await campus.answered("POST /messages 201", times: 1)
            if !isScripted { try await browser.click("button", text: "Refresh") }
            try await browser.waitForAbsence(of: "#section-messages [role=status]")
            try await browser.waitForAbsence(of: "#section-messages li:nth-child(2)")
            try await browser.waitFor("#section-messages li", text: text)
            #expect(try await campus.adas("/messages", as: MessagePage.self).messages.map(\.text) == [text])
        }
    }

    @Test(arguments: [true, false])
    func `of 5,000 messages the newest twenty show, and twenty more on request`(isScripted: Bool) async throws {
        try await withFaultyCampus(at: "/", isScripted: isScripted, sentMessages: 5000) { browser, _ in
            for count in [20, 40] {
                let oldest = 5001 - count
                try await browser.waitFor("#section-messages li:nth-child(\(count))", text: "Message \(oldest).")
                #expect(try await browser.findAll("#section-messages li").count == count)
                let size = try await browser.executeScript(
                    "return document.documentElement.outerHTML.length",
                    returning: Int.self
                )
                #expect(size < 20_000)
                if count == 20 { try await browser.click("button", text: "Show older messages") }
            }
        }
    }

    @Test(arguments: [true, false])
    func `older messages that fail to load can be loaded again`(isScripted: Bool) async throws {
        try await withFaultyCampus(at: "/", isScripted: isScripted, sentMessages: 30) { browser, campus in
            try await browser.waitFor("#section-messages li:nth-child(20)")
            try await campus.inject(faults: "fail=/messages:1")
            try await browser.click("button", text: "Show older messages")
            try await browser.waitFor("#section-messages [role=alert]")
            #expect(try await browser.findAll("#section-messages li").count == 20)
            try await browser.click("#section-messages button", text: "Try again")
            try await browser.waitFor("#section-messages li:nth-child(30)", text: "Message 1.")
            try await browser.waitForAbsence(of: "#section-messages button")
        }
    }
}
