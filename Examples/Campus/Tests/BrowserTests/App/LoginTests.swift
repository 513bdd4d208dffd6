import CampusTestTools
import Testing
import WebDriver

/// Tests of the login gate in the browser.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LoginTests {
    @Test func `the border of a field has a contrast of 3 to 1 against the page and the card`() async throws {
        try await withFaultyCampus(at: "/", isSignedIn: false) { browser, _ in
            try await browser.waitFor("#email")
            let contrasts: [Double] = try await browser.executeScript(
                """
                const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
                const light = (color) => {
                  const [r, g, b] = color.match(/\\d+/g).map(Number).map(channel);
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
                };
                const field = document.querySelector("#email");
                const border = light(getComputedStyle(field).borderTopColor);
                return [field, field.closest("section"), document.body].map((element) => {
                  const back = light(getComputedStyle(element).backgroundColor);
                  return Math.max(border, back) / Math.min(border, back);
                });
                """
            )
            #expect(contrasts.count == 3)
            #expect(contrasts.allSatisfy { $0 >= 3 }, "\(contrasts)")
        }
    }

    @Test func `a link opened while signed out leads through the sign-in to its course`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await browser.waitFor("h1", text: "Analytical Engines")
            let address = try await browser.currentURL
            #expect(address == "\(root)/course/abc123")
            for text in ["Charles Babbage", "Machine room", "Bernoulli"] {
                try await browser.waitFor("section", text: text)
            }
            let entries = try await browser.takeConsoleEntries()
            #expect(entries.isEmpty)
        }
    }

    @Test func `a wrong password shows an error, and the next attempt succeeds`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn(password: "wrong")
            try await browser.waitFor("[role=alert]", text: "No user has this e-mail address and password.")
            let email = try await browser.find("#email").attribute("value")
            #expect(email == "ada@campus.example")
            try await browser.type("correct horse", into: "#password")
            try await browser.click("button", text: "Sign in")
            try await browser.waitFor("h1", text: "Analytical Engines")
        }
    }

    @Test func `signing out removes all user data from the page, also after going back`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("a", text: "Analytical Engines")
            try await browser.waitFor("section", text: "Charles Babbage")
            try await browser.click("[aria-label=Breadcrumb] a", text: "Dashboard")
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
            try await browser.back()
            try await browser.waitFor("h1", text: "Sign in")
            for secret in ["Ada", "Analytical", "Babbage"] {
                let text = try await browser.pageText
                #expect(!text.contains(secret))
            }
        }
    }

    @Test func `signing out in one tab signs out the other tabs`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("section", text: "Ada Lovelace")
            let first = try await browser.window
            let second = try await browser.newWindow()
            try await browser.switchTo(second)
            try await browser.open("\(root)/course/abc123")
            try await browser.waitFor("section", text: "Charles Babbage")
            try await browser.switchTo(first)
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
            try await browser.switchTo(second)
            try await browser.waitFor("h1", text: "Sign in")
        }
    }

    @Test func `closing a tab does not end the session`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.open(root)
            try await browser.signIn()
            try await browser.waitFor("section", text: "Ada Lovelace")
            let first = try await browser.window
            let second = try await browser.newWindow()
            try await browser.switchTo(second)
            try await browser.open("\(root)/course/abc123")
            try await browser.waitFor("section", text: "Charles Babbage")
            try await browser.closeWindow()
            try await browser.switchTo(first)
            try await browser.open("\(root)/course/lin201")
            try await browser.waitFor("section", text: "Emmy Noether")
        }
    }

    @Test(.rule("B56", "N9")) func `a second user in the same browser sees no data of the first user in any tab`()
        async throws
    {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/product/cards")
            try await browser.click("button", text: "Add")
            try await browser.signIn()
            try await browser.waitFor("section", text: "One of your favorites")
            let shop = try await browser.window
            try await browser.switchTo(try await browser.newWindow())
            try await browser.open(root)
            try await browser.waitFor("section", text: "Ada Lovelace")
            try await browser.click("button", text: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")

            // The product is public and stays, without Ada's favorites.
            let second = try await browser.window
            try await browser.switchTo(shop)
            try await browser.waitFor("section", text: "Not one of your favorites")
            try await browser.waitForAbsence(of: "nav a[href='/settings']")
            try await browser.waitFor("h1", text: "Punched Cards")
            try await browser.executeScript("document.body.dataset.mark = 'not loaded again'")

            try await browser.switchTo(second)
            try await browser.signIn(email: "grace@campus.example", password: "battery staple")
            try await browser.waitFor("section", text: "Grace Hopper")
            try await browser.switchTo(shop)
            // The sign-in reloads this page, which must not replace the next one.
            try await browser.waitForAbsence(of: "body[data-mark]")
            try await browser.waitFor("section", text: "Not one of your favorites")
            try await browser.open(root)
            try await browser.waitFor("section", text: "Grace Hopper")
            let text = try await browser.pageText
            #expect(!text.contains("Ada"))
        }
    }

    @Test(.rule("B57")) func `the bar lists the available screens, marks the current screen and opens screens`()
        async throws
    {
        try await withCampusInBrowser { browser, root in
            try await browser.open("\(root)/catalog")
            try await browser.waitFor("nav a[aria-current]", text: "Campus shop")
            try await browser.waitForAbsence(of: "nav a[href='/']")
            try await browser.open("\(root)/course/abc123")
            try await browser.signIn()
            try await browser.waitFor("nav a", text: "Settings")
            try await browser.executeScript("document.body.dataset.mark = 'not loaded again'")
            try await browser.click("nav a", text: "Settings")
            try await browser.waitFor("h1", text: "Settings")
            try await browser.waitFor("nav a[aria-current]", text: "Settings")
            #expect(try await browser.currentURL == "\(root)/settings")
            try await browser.back()
            try await browser.waitFor("h1", text: "Analytical Engines")
            try await browser.waitFor("body[data-mark]")
        }
    }
}
