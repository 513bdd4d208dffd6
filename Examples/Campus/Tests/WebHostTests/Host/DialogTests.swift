import CampusTestTools
import Testing
import WebHost

/// Dialogs of the navigator on a page.
@Suite(.rule("V10"), .timeLimit(.minutes(5)))
struct DialogTests {
    @Test func `a dialog reaches the page as a patch, and the chosen button answers it`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("ask", on: page)
            let dialog = try #require(await stream.next())
            #expect(try dialog.value("id") == "dialog")
            let html = try #require(try dialog.value("html"))
            #expect(html.contains(#"<h2 id="dialog-title">Sure?</h2>"#))
            #expect(html.contains("&lt;Really&gt;"))
            #expect(html.contains(#"<button class="quiet" name="button" value="2">Cancel</button>"#))

            // An answer to another dialog changes nothing.
            #expect(try await browser.post("_answer", ["dialog": "7", "button": "0"], on: page).status == 204)
            #expect(try await browser.post("_answer", ["dialog": "1", "button": "1"], on: page).status == 204)
            let changes = [try #require(await stream.next()), try #require(await stream.next())]
            #expect(try changes.map { try $0.value("id") }.sorted { $0 ?? "" < $1 ?? "" } == ["dialog", "note"])
            #expect(try changes.contains { try $0.value("html")?.contains(">no<") == true })
            await stream.close()
        }
    }

    @Test func `an answer without a button hides the dialog`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("ask", on: page)
            _ = await stream.next()
            #expect(try await browser.post("_answer", ["dialog": "1"], on: page).status == 204)
            var html = ""
            while !html.contains("no answer") { html += try #require(await stream.next()).value("html") ?? "" }
            await stream.close()
        }
    }

    @Test func `a page without the script contains its open dialog, and does not wait for the screen`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            #expect(!page.body.contains(" open>"))
            let reply = try await browser.post("ask", on: page)
            let asking = try await browser.get(try #require(reply.header("location")))
            #expect(asking.body.contains(#"<dialog id="section-dialog" aria-labelledby="dialog-title" open>"#))
            let answer = try await browser.post("_answer", ["dialog": "1", "button": "0"], on: asking)
            let answered = try await browser.get(try #require(answer.header("location")))
            #expect(!answered.body.contains(" open>"))
            #expect(answered.text("note") == "yes")
        }
    }
}
