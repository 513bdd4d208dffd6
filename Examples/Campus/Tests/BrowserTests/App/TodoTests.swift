import CampusModels
import CampusTestTools
import Testing
import WebDriver

/// M10: tests of ticking to-dos, which shows at once and stays correct despite faults of the API.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TodoTests {
    private let changes = "/courses/*/todos/*"
    private let notes = "#section-to-dos li:nth-child(1)"
    private let table = "#section-to-dos li:nth-child(2)"
    private let essay = "#section-to-dos li:nth-child(3)"

    private func box(_ todo: String) -> String { "\(todo) input[type=checkbox]" }

    /// Returns whether the box of a to-do is checked.
    private func isChecked(_ todo: String, in browser: Browser) async throws -> Bool {
        try await browser.executeScript("return document.querySelector(arguments[0]).checked", [.string(box(todo))])
    }

    private func revisions(_ campus: Campus) async throws -> [Int] {
        try await campus.adas("/courses/abc123/todos", as: [Todo].self).map(\.rev)
    }

    @Test(.rule("A4")) func `a tick shows at once and is reverted with the reason if the API refuses`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor(box(table))
            try await campus.inject(faults: "hold=\(changes),reject=\(changes):1")
            try await browser.click(box(table))
            try await browser.waitFor(table, text: "Not saved yet")
            try await browser.waitFor("\(table) s")
            #expect(try await isChecked(table, in: browser))
            // The page does not tell whether the change has reached the API.
            try await campus.inject(faults: "reject=\(changes):1")
            try await browser.waitFor(
                "#section-to-dos [role=alert]",
                text: "The campus is closed for changes right now."
            )
            try await browser.waitForAbsence(of: "\(table) s")
            #expect(try await !isChecked(table, in: browser))
            try await browser.click("#section-to-dos [role=alert] button", text: "Dismiss")
            try await browser.waitForAbsence(of: "#section-to-dos [role=alert]")
            #expect(try await revisions(campus) == [1, 0, 0])
        }
    }

    @Test(.rule("A4")) func `a tick that the API refuses is reverted, and the reason is shown once`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor(box(table))
            try await campus.inject(faults: "hold=\(changes),invalid=\(changes):1")
            try await browser.click(box(table))
            try await browser.waitFor("\(table) s")
            // The page does not tell whether the change has reached the API.
            try await campus.inject(faults: "invalid=\(changes):1")
            try await browser.waitFor(
                "#section-to-dos [role=alert]",
                text: "The term is over, so this cannot be changed any more."
            )
            try await browser.waitForAbsence(of: "\(table) s")
            #expect(try await !isChecked(table, in: browser))
            let alerts: Int = try await browser.executeScript(
                "return document.querySelectorAll('#section-to-dos [role=alert]').length"
            )
            #expect(alerts == 1)
            #expect(try await revisions(campus) == [1, 0, 0])
        }
    }

    @Test(.rule("A5")) func `a tick that the API cannot serve stays on the page and arrives later`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor(box(table))
            try await campus.inject(faults: "fail=\(changes)")
            try await browser.click(box(table))
            try await browser.waitFor("#section-to-dos [role=status]", text: "is sent again by itself")
            try await browser.waitFor(table, text: "Not saved yet")
            try await browser.waitFor("\(table) s")
            try await browser.waitForAbsence(of: "#section-to-dos [role=alert]")
            // The delays before later resends are short again after this.
            try await browser.click("#section-to-dos [role=status] button", text: "Try now")
            try await campus.inject(faults: "")
            try await browser.waitForAbsence(of: "\(table) .muted")
            try await browser.waitFor("\(table) s")
            #expect(try await revisions(campus) == [1, 1, 0])
        }
    }

    @Test func `if the post of a tick fails, the tick is sent again, and the page continues`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor(box(table))
            // The server gets the tick, but its response is lost. The second post fails.
            try await browser.executeScript(
                """
                const real = window.fetch;
                let calls = 0;
                window.fetch = async (...request) => {
                  if (!request[1].body.has("todo")) return real(...request);
                  calls += 1;
                  if (calls === 1) await real(...request);
                  if (calls <= 2) throw new TypeError("offline");
                  return real(...request);
                };
                """
            )
            try await browser.click(box(table))
            try await browser.waitFor("#connection", text: "Connection lost")
            try await browser.waitFor("\(table) s")
            try await browser.waitForAbsence(of: "#connection:not([hidden])")
            try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: 1)
        }
    }

    @Test(.rule("A7")) func `two quick ticks stay visible during a reload between them`() async throws {
        try await withFaultyCampus(at: "/") { browser, campus in
            let todos = "GET /courses/abc123/todos 200"
            try await browser.waitFor("#section-week", text: "Open to-dos")
            try await browser.click("a", text: "Analytical Engines")
            try await campus.inject(faults: "hold=\(changes)")
            try await browser.click(box(table))
            try await browser.waitFor(table, text: "Not saved yet")
            // To-dos load once for the dashboard's week, and each time the course opens.
            try await browser.back()
            try await browser.click("a", text: "Analytical Engines")
            try await campus.answered(todos, times: 3)
            try await browser.waitFor(table, text: "Not saved yet")
            try await browser.click(box(essay))
            try await browser.waitFor(essay, text: "Not saved yet")
            try await browser.waitFor("\(table) s")
            try await browser.waitFor("\(essay) s")
            try await campus.inject(faults: "")
            try await campus.answered(todos, times: 4)
            for todo in [table, essay] {
                try await browser.waitForAbsence(of: "\(todo) .muted")
                try await browser.waitFor("\(todo) s")
            }
            #expect(try await revisions(campus) == [1, 1, 1])
        }
    }

    @Test(.rule("A5")) func `a tick whose response is lost is sent again with the same key and arrives once`()
        async throws
    {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor(box(table))
            try await campus.inject(faults: "drop=\(changes):1")
            try await browser.click(box(table))
            try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: 1)
            try await browser.waitForAbsence(of: "\(table) .muted")
            try await browser.waitFor("\(table) s")
            #expect(await campus.output.lines.contains { $0.contains("PUT /courses/abc123/todos/abc123-2 503") })
            #expect(try await revisions(campus) == [1, 1, 0])
        }
    }

    @Test func `a tick can be undone`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.click(box(notes))
            try await browser.waitForAbsence(of: "\(notes) s")
            try await browser.waitForAbsence(of: "\(notes) .muted")
            try await browser.refresh()
            try await browser.waitFor(box(notes))
            #expect(try await !isChecked(notes, in: browser))
            #expect(try await revisions(campus) == [2, 0, 0])
        }
    }

    @Test func `a to-do is a check box with its title, and keeps the focus after each tick`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor("\(table) label", text: "Write the table for the Bernoulli numbers")
            try await browser.executeScript("document.getElementById('todo-abc123-2').focus()")
            let focused = "return [document.activeElement.type, document.activeElement.labels[0].textContent]"
            for revision in 1...2 {
                try await browser.press(.space)
                try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: revision)
                if revision == 1 {
                    try await browser.waitFor("\(table) s")
                } else {
                    try await browser.waitForAbsence(of: "\(table) s")
                }
                try await browser.waitForAbsence(of: "\(table) .muted")
                let element: [String] = try await browser.executeScript(focused)
                #expect(element == ["checkbox", "Write the table for the Bernoulli numbers"])
            }
            #expect(try await revisions(campus) == [1, 2, 0])
        }
    }

    @Test func `if a check box changes again before the response, it is sent again`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor(box(table))
            // The page receives no response before the second click.
            try await browser.executeScript(
                """
                const real = window.fetch;
                const clicked = new Promise((resolve) => { window.release = resolve; });
                window.fetch = async (...request) => { await clicked; return real(...request); };
                const box = document.querySelector(arguments[0]);
                box.click();
                box.click();
                window.release();
                """,
                [.string(box(table))]
            )
            try await campus.answered("PUT /courses/abc123/todos/abc123-2 200", times: 2)
            try await browser.waitForAbsence(of: "\(table) .muted")
            try await browser.waitForAbsence(of: "\(table) s")
            #expect(try await !isChecked(table, in: browser))
            #expect(try await revisions(campus) == [1, 2, 0])
        }
    }

    @Test func `to-dos are ticked without script, and a refusal shows its reason`() async throws {
        try await withFaultyCampus(at: "/course/abc123", isScripted: false) { browser, campus in
            try await browser.click(box(table))
            try await browser.click("\(table) button", text: "Save")
            try await browser.waitFor("\(table) s")
            #expect(try await revisions(campus) == [1, 1, 0])
            try await campus.inject(faults: "reject=\(changes):1")
            try await browser.click(box(essay))
            try await browser.click("\(essay) button", text: "Save")
            try await browser.waitFor("#section-to-dos [role=alert]", text: "closed for changes")
            #expect(try await !isChecked(essay, in: browser))
            try await browser.click("#section-to-dos [role=alert] button", text: "Dismiss")
            try await browser.waitForAbsence(of: "#section-to-dos [role=alert]")
            #expect(try await revisions(campus) == [1, 1, 0])
        }
    }

    @Test(.rule("M13")) func `all failed sections are loaded again at once`() async throws {
        try await withFaultyCampus(at: "/course/abc123") { browser, campus in
            try await browser.waitFor("#section-tutor", text: "Charles Babbage")
            try await campus.inject(faults: "fail=/courses/*/tutor:1,fail=/courses/*/schedule:1")
            try await browser.refresh()
            try await browser.waitFor("#section-tutor [role=alert]")
            try await browser.waitFor("#section-schedule [role=alert]")
            try await browser.click("#section-failures button", text: "Load the rest")
            try await browser.waitFor("#section-tutor", text: "Charles Babbage")
            try await browser.waitFor("#section-schedule", text: "Machine room")
            try await browser.waitForAbsence(of: "#section-failures button")
        }
    }
}
