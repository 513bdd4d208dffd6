import Testing
import WebDriver

/// Tests of the shop, which needs no sign-in.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ShopTests {
    @Test func `the shop and its products are visible while signed out`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.waitFor("h1", text: "Sign in")
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

    @Test(arguments: [true, false])
    func `a missing product shows one message with a link, and a 404 without the script`(
        isScripted: Bool
    ) async throws {
        var options = BrowserOptions()
        options.isJavaScriptEnabled = isScripted
        try await withCampusInBrowser(options: options) { browser, root in
            try await browser.open("\(root)/product/nope")
            try await browser.showsMissingPage("Product not found", isScripted: isScripted)
            try await browser.click("a", text: "The whole campus shop")
            try await browser.waitFor("h1", text: "Campus shop")
        }
    }
}
