import CampusTestTools
import Testing
import WebHost

/// Sheets and covers of the navigator on a page.
@Suite(.timeLimit(.minutes(5)))
struct SheetTests {
    /// Posts an event for the screen with this number.
    private func post(
        _ event: String,
        _ fields: [String: String] = [:],
        screen: String,
        on page: Reply,
        _ browser: Browser
    ) async throws {
        let own = ["_event": event, "_csrf": try page.data("csrf"), "_screen": screen]
        let endpoint = "/_host/windows/\(try page.data("window"))/events"
        #expect(try await browser.post(fields.merging(own) { $1 }, to: endpoint).status == 204)
    }

    @Test func `a sheet reaches the page as a patch above the screen below`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("sheet", on: page)
            let sheet = try #require(await stream.next())
            #expect(try sheet.value("area") == "sheet")
            #expect(try sheet.value("path") == "/", "a sheet has no address")
            let html = try #require(try sheet.value("html"))
            #expect(html.contains(#"<h2 id="sheet-title">Page /sheet</h2>"#))
            #expect(html.contains(#"<section id="section-sheet-note""#))

            // The screen below is covered, so its events are ignored.
            try await post("increment", screen: try page.data("screen"), on: page, browser)
            let number = try #require(try sheet.value("number"))
            try await post("note", ["text": "new"], screen: number, on: page, browser)
            let change = try #require(await stream.next())
            #expect(try change.value("id") == "sheet-note")
            #expect(try #require(try change.value("html")).contains(">new<"))
            await stream.close()
        }
    }

    @Test(.rule("V4")) func `a sheet that the user closes leaves, and the screen below continues`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            let below = try page.data("screen")
            try await post("_dismiss", screen: below, on: page, browser)
            _ = try await browser.post("sheet", on: page)
            let number = try #require(try await stream.next()?.value("number"))
            try await post("_dismiss", screen: below, on: page, browser)
            try await post("_dismiss", screen: number, on: page, browser)

            let sheet = try #require(await stream.next())
            #expect(try sheet.value("area") == "sheet")
            #expect(try sheet.value("html") == "")
            try await post("increment", screen: below, on: page, browser)
            #expect(try await stream.next()?.value("id") == "count")
            await stream.close()
        }
    }

    @Test func `a page without the script contains its open sheet`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port, isScripted: false)
            let page = try await browser.get("/")
            #expect(page.body.contains(#"<dialog id="sheet" aria-labelledby="sheet-title"></dialog>"#))
            let reply = try await browser.post("sheet", on: page)
            let location = try #require(reply.header("location"))
            #expect(location.hasPrefix("/?"))
            let covered = try await browser.get(location)
            #expect(covered.body.contains(#"<dialog id="sheet" aria-labelledby="sheet-title" data-screen="2" open>"#))
            #expect(covered.body.contains(#"<p id="count">0</p>"#))
        }
    }

    @Test func `a cover takes the place of the screen below`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("cover", on: page)
            let cover = try #require(await stream.next())
            #expect(try cover.value("area") == "main")
            #expect(try cover.value("path") == "/cover")
            await stream.close()
        }
    }
}
