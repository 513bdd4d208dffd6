import WebDriver

extension Browser {
    /// Opens every page, dialog and error state of Campus as Ada, and calls `look` on each one.
    ///
    /// - Parameters:
    ///   - root: the root URL of the app.
    ///   - look: called when the page has loaded, with a description of the page.
    /// - Throws: the errors of `look`, and `WebDriverError` if a page does not appear.
    func visitEveryPage(of root: String, _ look: (String) async throws -> Void) async throws {
        try await open(root)
        try await waitFor("h1", text: "Sign in")
        try await look("the login form")
        try await signIn(password: "wrong")
        try await waitFor("[role=alert]")
        try await look("a refused sign-in")
        try await type("correct horse", into: "#password")
        try await click("button", text: "Sign in")
        try await waitFor("h1", text: "Dashboard")

        for (path, shown) in Self.pages {
            try await open("\(root)\(path)")
            try await waitFor(shown)
            try await waitForAbsence(of: ".skeleton")
            try await look(path)
        }
        try await open("\(root)/product/cards")
        try await click("#section-shop button", text: "Share")
        try await waitFor("#section-shop a", text: "/product/cards")
        try await look("a shared product")
        try await visitComposer(of: root, look)
    }

    /// The pages behind the sign-in, and an element that each shows when it has loaded.
    private static let pages = [
        ("/", "#section-week:not(:empty)"), ("/course/abc123", "#section-to-dos li"),
        ("/course/nope", "#section-missing"), ("/catalog", "#section-products li"),
        ("/product/cards", "#section-favorite button"), ("/settings", "#section-sessions li"), ("/nowhere", "h1"),
    ]

    private func visitComposer(of root: String, _ look: (String) async throws -> Void) async throws {
        try await open("\(root)/compose")
        try await waitFor("h1", text: "New message")
        try await look("the composer")
        try await click("button", text: "Send")
        try await waitFor("[role=alert]")
        try await look("the composer without recipients")
        try await type("Half a thought", into: "#text")
        try await click("button", text: "Choose recipients")
        try await waitFor("dialog:modal", text: "Charles Babbage")
        try await look("the recipient picker")
        try await press(.escape)
        try await waitForAbsence(of: "dialog[open]")
        try await click("button", text: "Cancel")
        try await waitFor("dialog:modal h2", text: "Keep the message as a draft?")
        try await look("the draft question")
    }
}
