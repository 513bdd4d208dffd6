import CampusModels
import Testing
import WebDriver

/// Tests that a user without a mouse can do everything: Tab, Enter, Space, Escape and typed text.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct KeyboardTests {
    @Test func `a user signs in after a wrong password, opens a course, ticks a to-do and returns`() async throws {
        try await withFaultyCampus(at: "/", isSignedIn: false) { browser, campus in
            try await browser.signInByKeyboard(password: "wrong")
            try await browser.waitFor("[role=alert]", text: "No user has this e-mail address and password.")
            #expect(try await browser.focusedName.contains("Password"), "the focus stays in the field")
            try await browser.type("correct horse")
            try await browser.press(.enter)
            try await browser.waitFor("#section-week", text: "Appointments")

            try await browser.press(.enter, on: "Analytical Engines")
            try await browser.waitFor("h1", text: "Analytical Engines")
            try await browser.waitFor("#section-to-dos", text: "Bernoulli")
            #expect(try await browser.focusedElement.attribute("id") == "main", "the focus starts at the new page")
            let todo = "Write the table for the Bernoulli numbers"
            try await browser.press(.space, on: todo)
            try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: 1)
            try await browser.waitForAbsence(of: "#section-to-dos .muted", text: "Not saved yet")
            #expect(try await browser.focusedName.contains(todo), "the focus stays at the to-do")
            let todos = try await campus.adas("/courses/abc123/todos", as: [Todo].self)
            #expect(todos.filter(\.isDone).map(\.id) == ["abc123-1", "abc123-2"])

            try await browser.tab(into: "[aria-label=Breadcrumb] a, main a[href='/']", backward: true)
            try await browser.press(.enter)
            try await browser.waitFor("h1", text: "Dashboard")
        }
    }

    @Test func `recipients are chosen in the picker, which Escape closes, and the message is sent`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.openByKeyboard(root)
            try await browser.waitFor("#section-week", text: "Appointments")
            try await browser.press(.enter, on: "Write a message")
            try await browser.waitFor("h1", text: "New message")

            try await browser.press(.enter, on: "Choose recipients")
            try await browser.waitFor("dialog:modal", text: "Charles Babbage")
            try await browser.press(.space, on: "Charles Babbage")
            try await browser.press(.escape)
            try await browser.waitForAbsence(of: "dialog[open]")
            #expect(try await browser.focusedName == "Choose recipients", "the focus returns to the picker's button")
            #expect(try await !browser.find("main").text.contains("Charles Babbage"))

            try await browser.press(.enter)
            try await browser.waitFor("dialog:modal", text: "Charles Babbage")
            try await browser.press(.space, on: "Charles Babbage")
            try await browser.press(.space, on: "Grace Hopper")
            try await browser.press(.enter, on: "Choose")
            try await browser.waitForAbsence(of: "dialog[open]")
            try await browser.waitFor("main", text: "Charles Babbage")
            try await browser.tab(to: "Text")
            try await browser.type("The engine runs.")
            try await browser.press(.enter, on: "Send")
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.waitFor("main", text: "The engine runs.")
            try await browser.waitFor("main", text: "Grace Hopper")
        }
    }

    @Test func `Escape closes the draft question without an answer, and its buttons answer it`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.openByKeyboard("\(root)/compose")
            try await browser.waitFor("h1", text: "New message")
            try await browser.tab(to: "Text")
            try await browser.type("Half a thought")
            try await browser.tab(to: "Cancel")
            for answer in [nil, "Keep editing"] {
                try await browser.press(.enter)
                try await browser.waitFor("dialog:modal h2", text: "Keep the message as a draft?")
                #expect(try await browser.hasFocus(in: "dialog"))
                if let answer { try await browser.press(.enter, on: answer) } else { try await browser.press(.escape) }
                try await browser.waitForAbsence(of: "dialog[open]")
                #expect(try await browser.focusedName == "Cancel", "the focus returns to the button")
            }
            let text: String = try await browser.executeScript("return document.querySelector('textarea').value")
            #expect(text == "Half a thought")

            try await browser.press(.enter)
            try await browser.waitFor("dialog:modal")
            try await browser.press(.enter, on: "Save")
            try await browser.waitFor("h1", text: "Dashboard")
        }
    }

    @Test func `a product is found, marked as a favorite and bought`() async throws {
        try await withFaultyCampus(at: "/", isSignedIn: false) { browser, campus in
            try await browser.signInByKeyboard()
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.press(.enter, on: "Campus shop")
            try await browser.waitFor("#section-products li")
            try await browser.press(.enter, on: "A Nanosecond")
            try await browser.waitFor("h1", text: "A Nanosecond")
            try await browser.waitFor("#section-favorite button")
            try await browser.press(.enter, on: "Add")
            try await browser.waitFor("#section-favorite button", text: "Remove")
            try await campus.answered("PUT /favorites/nanosecond 204", times: 1)
            #expect(try await browser.hasFocus(in: "main"))
            try await browser.press(.enter, on: "Buy")
            try await browser.waitFor("main [role=status]", text: "You have bought this")
            #expect(try await browser.hasFocus(in: "main"))
            #expect(try await campus.adas("/purchases", as: [Purchase].self).map(\.product) == ["nanosecond"])
            try await browser.tab(into: ":is([aria-label=Breadcrumb], main) a[href='/catalog']", backward: true)
            try await browser.press(.enter)
            try await browser.waitFor("h1", text: "Campus shop")
        }
    }

    @Test func `the user loads the profile again, ends the other sessions, and then ends this session`() async throws {
        try await withFaultyCampus(at: "/", isSignedIn: false) { browser, campus in
            _ = try await campus.signIn(LoginRequest(email: "ada@campus.example", password: "correct horse"))
            try await browser.signInByKeyboard()
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.press(.enter, on: "Settings")
            try await browser.waitFor("#section-user", text: "Ada Lovelace")
            try await browser.waitFor("#section-sessions li:nth-child(2)")
            try await browser.press(.enter, on: "Sync")
            // The first response belongs to the sign-in.
            try await campus.answered("GET /me 200", times: 2)
            #expect(try await browser.hasFocus(in: "main"))
            try await browser.press(.enter, on: "End all others")
            try await browser.waitForAbsence(of: "#section-sessions li:nth-child(2)")
            #expect(try await browser.hasFocus(in: "main"), "the button is gone, but not the focus")
            try await browser.press(.enter, on: "Sign out")
            try await browser.waitFor("h1", text: "Sign in")
        }
    }

    @Test func `a missing course and an unknown page have a link to another page`() async throws {
        try await withCampusInBrowser { browser, root in
            try await browser.openByKeyboard("\(root)/course/nope")
            try await browser.waitFor("h1", text: "Course not found")
            try await browser.tab(into: "main a[href='/']")
            try await browser.press(.enter)
            try await browser.waitFor("h1", text: "Dashboard")
            try await browser.open("\(root)/nowhere")
            try await browser.waitFor("h1", text: "Page not found")
            try await browser.press(.enter, on: "Go to the start page")
            try await browser.waitFor("h1", text: "Dashboard")
        }
    }
}

extension Browser {
    /// Opens a page behind the sign-in, and logs Ada in.
    fileprivate func openByKeyboard(_ url: String) async throws {
        try await open(url)
        try await signInByKeyboard()
    }

    /// Fills in the login form, and submits it with Enter in its last field.
    fileprivate func signInByKeyboard(password: String = "correct horse") async throws {
        try await waitFor("h1", text: "Sign in")
        try await tab(to: "E-mail address")
        try await type("ada@campus.example")
        try await tab(to: "Password")
        try await type(password)
        try await press(.enter)
    }
}
