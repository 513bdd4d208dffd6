import Testing
import WebDriver

/// Tests of the shop, which needs no log-in.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ShopTests {
    @Test func `the shop and its products are visible while signed out`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.waitFor("h1", text: "Log in")
            try await browser.click("a", text: "Look around the campus shop")
            try await browser.waitFor("h1", text: "Campus shop")
            try await browser.click("a", text: "A Nanosecond")
            try await browser.waitFor("#section-product", text: "€1.00")
            #expect(try await browser.currentURL == "\(root)/product/nanosecond")
            try await browser.back()
            try await browser.waitFor("h1", text: "Campus shop")
            try await browser.open("\(root)/product/notes")
            try await browser.waitFor("h1", text: "Notes on the Analytical Engine")
        }
    }

    @Test func `an unknown product shows an error`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/product/nothing")
            try await browser.waitFor("#section-product [role=alert]", text: "There is no such thing")
        }
    }
}
