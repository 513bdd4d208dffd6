import Testing
import WebDriver

/// Tests of the browser's back, forward and reload buttons.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HistoryTests {
    private struct Page {
        let path: String
        let heading: String
    }

    private let dashboard = Page(path: "/", heading: "Dashboard")
    private let course = Page(path: "/course/abc123", heading: "Analytical Engines")
    private let shop = Page(path: "/catalog", heading: "Campus shop")
    private let product = Page(path: "/product/nanosecond", heading: "A Nanosecond")
    private let composer = Page(path: "/compose", heading: "New message")

    private var pages: [Page] { [dashboard, course, shop, product, composer] }

    @Test func `back and forward show each screen at its address`() async throws {
        try await withCampusInBrowser { browser, root in
            try await walk(browser, root)
            for page in pages.dropLast().reversed() {
                try await browser.back()
                try await expect(page, in: browser, root)
            }
            for page in pages.dropFirst() {
                try await browser.forward()
                try await expect(page, in: browser, root)
            }
            let entries = try await browser.takeConsoleEntries()
            #expect(entries.isEmpty)
        }
    }

    @Test func `after a reload, the screen is the same, and back and forward still work`() async throws {
        try await withCampusInBrowser { browser, root in
            try await walk(browser, root)
            try await reload(composer, in: browser, root)
            for page in pages.dropLast().reversed() {
                try await browser.back()
                try await expect(page, in: browser, root)
                try await reload(page, in: browser, root)
            }
            for page in pages.dropFirst() {
                try await browser.forward()
                try await expect(page, in: browser, root)
                try await reload(page, in: browser, root)
            }
        }
    }

    @Test func `back leaves a deep link, and from the next page it returns to the link`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/catalog")
            try await expect(shop, in: browser, root)
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await expect(course, in: browser, root)
            try await browser.back()
            try await expect(shop, in: browser, root)
            try await browser.forward()
            try await expect(course, in: browser, root)
            try await browser.click("nav a", text: "Settings")
            try await expect(Page(path: "/settings", heading: "Settings"), in: browser, root)
            try await browser.back()
            try await expect(course, in: browser, root)
        }
    }

    @Test func `after a sign-out, back shows only the login form at each address`() async throws {
        try await withCampusInBrowser { browser, root in
            try await signIn(browser, root)
            try await browser.click("a", text: "Analytical Engines")
            try await browser.waitFor("section", text: "Charles Babbage")
            try await browser.click("nav a", text: "Settings")
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("nav a", text: "Dashboard")
            try await expect(dashboard, in: browser, root)
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
            for path in ["/settings", "/course/abc123"] {
                try await browser.back()
                try await expect(Page(path: path, heading: "Sign in"), in: browser, root)
                try await expectNoAccount(in: browser)
                try await browser.refresh()
                try await expect(Page(path: path, heading: "Sign in"), in: browser, root)
                try await expectNoAccount(in: browser)
            }
            try await browser.signIn()
            try await expect(course, in: browser, root)
        }
    }

    @Test func `back closes an open picker, and a closed picker is not in the history`()
        async throws
    {
        try await withCampusInBrowser { browser, root in
            try await openComposer(browser, root)
            try await openPicker(browser, root)
            try await browser.back()
            try await browser.waitForAbsence(of: "dialog[open]")
            try await expect(composer, in: browser, root)

            try await openPicker(browser, root)
            try await browser.press(.escape)
            try await browser.waitForAbsence(of: "dialog[open]")
            // The page removes the entry of the picker, which takes the browser a moment.
            let isRemoved: Bool = try await browser.executeAsyncScript(
                """
                const done = arguments[0];
                if (history.state === null) done(true);
                else addEventListener("popstate", () => done(history.state === null), {once: true});
                """
            )
            #expect(isRemoved)
            try await expect(composer, in: browser, root)
            try await leaveAndReturn(browser, root)
        }
    }

    @Test func `back leaves the composer with its open question, and forward shows the text without it`() async throws {
        try await withCampusInBrowser { browser, root in
            try await openComposer(browser, root)
            try await browser.type("Half a thought", into: "#text")
            try await browser.click("button", text: "Cancel")
            try await browser.waitFor("dialog:modal h2", text: "Keep the message as a draft?")
            #expect(try await browser.currentURL == "\(root)/compose")
            try await leaveAndReturn(browser, root)
            let text: String = try await browser.executeScript("return document.getElementById('text').value")
            #expect(text == "Half a thought")
        }
    }

    private func signIn(_ browser: Browser, _ root: String) async throws {
        try await browser.open(root)
        try await browser.signIn()
        try await expect(dashboard, in: browser, root)
    }

    /// Follows links from the dashboard to the composer.
    private func walk(_ browser: Browser, _ root: String) async throws {
        try await signIn(browser, root)
        try await browser.click("a", text: course.heading)
        try await expect(course, in: browser, root)
        try await browser.click("nav a", text: shop.heading)
        try await expect(shop, in: browser, root)
        try await browser.click("a", text: product.heading)
        try await expect(product, in: browser, root)
        try await browser.click("button", text: "Ask about it")
        try await expect(composer, in: browser, root)
    }

    private func openComposer(_ browser: Browser, _ root: String) async throws {
        try await signIn(browser, root)
        try await browser.click("a", text: "Write a message")
        try await expect(composer, in: browser, root)
    }

    private func openPicker(_ browser: Browser, _ root: String) async throws {
        try await browser.click("button", text: "Choose recipients")
        try await browser.waitFor("dialog:modal", text: "Charles Babbage")
        try await expect(composer, in: browser, root)
    }

    private func leaveAndReturn(_ browser: Browser, _ root: String) async throws {
        try await browser.back()
        try await expect(dashboard, in: browser, root)
        try await browser.waitForAbsence(of: "dialog[open]")
        try await browser.forward()
        try await expect(composer, in: browser, root)
        try await browser.waitForAbsence(of: "dialog[open]")
    }

    private func reload(_ page: Page, in browser: Browser, _ root: String) async throws {
        try await browser.refresh()
        try await expect(page, in: browser, root)
    }

    private func expect(_ page: Page, in browser: Browser, _ root: String) async throws {
        try await browser.waitFor("h1", text: page.heading)
        #expect(try await browser.currentURL == root + page.path)
    }

    private func expectNoAccount(in browser: Browser) async throws {
        let text = try await browser.pageText
        for secret in ["Ada Lovelace", "Analytical", "Babbage"] { #expect(!text.contains(secret)) }
    }
}
