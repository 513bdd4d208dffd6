import Testing
import WebDriver

/// Tests of the layout of the pages, in a narrow and in a wide window.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LayoutTests {
    @Test(arguments: [320, 1400])
    func `no page scrolls sideways or has long lines, and all targets are at least 24 by 24 pixels`(
        width: Int
    ) async throws {
        try await withFaultyCampus(at: "/", isLoggedIn: false) { browser, campus in
            try await browser.setViewport(width: width, height: 900)
            try await browser.waitFor("h1", text: "Log in")
            try await check(browser, "the login form")
            try await browser.logIn()
            try await browser.waitFor("#section-week", text: "Appointments this week")
            try await browser.waitFor("#section-courses li:nth-child(3)")
            try await check(browser, "the dashboard")
            for (path, shown) in [
                ("/course/abc123", "#section-to-dos input[type=checkbox]"), ("/course/nope", "#section-missing"),
                ("/settings", "#section-sessions time"), ("/catalog", "#section-products li"),
                ("/compose", "#text"), ("/nowhere", "h1"), ("/product/cards", "#section-favorite button"),
            ] {
                try await browser.open(campus.url() + path)
                try await browser.waitFor(shown)
                try await check(browser, path)
            }
            try await browser.click("#section-shop button", text: "Share")
            try await browser.waitFor("#section-shop a", text: "/product/cards")
            try await check(browser, "a shared product")
        }
    }

    /// Records the problems of the shown page; links in a paragraph may be lower than 24 pixels.
    private func check(_ browser: Browser, _ page: String) async throws {
        let problems: [String] = try await browser.executeScript(
            """
            const problems = [];
            if (document.documentElement.scrollWidth > innerWidth) problems.push("The page scrolls sideways.");
            if (document.querySelector("main").clientWidth > 740) problems.push("The lines are long.");
            const targets = "a:not(p a, .skip), button, input:not([type=hidden]), textarea";
            for (const target of document.querySelectorAll(targets)) {
              const { width, height } = target.getBoundingClientRect();
              if (target.checkVisibility() && Math.min(width, height) < 24) problems.push(target.outerHTML);
            }
            return problems;
            """
        )
        #expect(problems == [], "\(page)")
    }
}
