import Testing
import WebDriver

/// Several tabs of one browser.
@Suite(.timeLimit(.minutes(5)))
struct TabTests {
    @Test func `eight tabs work at the same time`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("h1", text: "Dashboard")
            let first = try await browser.window
            for _ in 2...8 {
                try await browser.switchTo(try await browser.newWindow())
                try await browser.open("\(root)/course/abc123")
                try await browser.waitFor("#section-to-dos input[type=checkbox]")
            }
            try await browser.click("#section-to-dos li:nth-child(2) input[type=checkbox]")
            try await browser.waitFor("#section-to-dos li:nth-child(2) s")
            try await browser.switchTo(first)
            try await browser.click("a", text: "Write a message")
            try await browser.waitFor("h1", text: "New message")
        }
    }

    @Test func `a change in one tab appears in the others`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("#section-week", text: "Open to-dos: 5.")
            let dashboard = try await browser.window
            try await browser.switchTo(try await browser.newWindow())
            try await browser.open("\(root)/course/abc123")
            try await browser.waitFor("#section-to-dos li:nth-child(2)")
            let course = try await browser.window
            try await browser.switchTo(try await browser.newWindow())
            try await browser.open("\(root)/course/abc123")
            try await browser.click("#section-to-dos li:nth-child(2) input[type=checkbox]")
            try await browser.waitFor("#section-to-dos li:nth-child(2) s")
            try await browser.switchTo(course)
            try await browser.waitFor("#section-to-dos li:nth-child(2) s")
            try await browser.switchTo(dashboard)
            try await browser.waitFor("#section-week", text: "Open to-dos: 4.")
        }
    }

    @Test func `a favorite and a message of one tab appear in the others`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("#section-messages", text: "You have not sent any messages yet.")
            let dashboard = try await browser.window
            try await browser.switchTo(try await browser.newWindow())
            try await browser.open("\(root)/product/nanosecond")
            try await browser.waitFor("#section-favorite", text: "Not one of your favorites")
            let product = try await browser.window
            try await browser.switchTo(try await browser.newWindow())
            try await browser.open("\(root)/product/nanosecond")
            try await browser.click("#section-favorite button", text: "Add")
            try await browser.waitFor("#section-favorite", text: "★ One of your favorites")
            try await browser.open("\(root)/compose")
            try await browser.type("The engine runs.", into: "#text")
            try await browser.click("button", text: "Choose recipients")
            try await browser.click("label", text: "Charles Babbage")
            try await browser.click("#sheet button", text: "Choose")
            try await browser.waitFor("#recipients", text: "Charles Babbage")
            try await browser.click("button", text: "Send")
            try await browser.switchTo(product)
            try await browser.waitFor("#section-favorite", text: "★ One of your favorites")
            try await browser.switchTo(dashboard)
            try await browser.waitFor("#section-messages li", text: "The engine runs.")
        }
    }
}
