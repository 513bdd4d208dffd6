import BackplaneTesting
import Testing
import WebHost

@Suite(.timeLimit(.minutes(5)))
struct EventTests {
    @Test func `a post without the token of its page is refused and changes nothing`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let other = try await browser.get("/")
            let endpoint = "/_host/windows/\(try page.data("window"))/events"
            let screen = try page.data("screen")
            let fields = ["_event": "increment", "_screen": screen]

            #expect(try await browser.post(fields, to: endpoint).status == 403)
            for token in ["", "wrong", try other.data("csrf")] {
                #expect(try await browser.post(fields.merging(["_csrf": token]) { $1 }, to: endpoint).status == 403)
            }
            let stream = try await browser.connect(page)
            #expect(try await browser.post("note", ["text": "after"], on: page).status == 204)
            #expect(try await stream.next()?.value("id") == "note", "the count had not changed")
            await stream.close()
        }
    }

    @Test func `a change reaches the page as a patch of only its section`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            #expect(page.text("count") == "0")
            let stream = try await browser.connect(page)
            #expect(stream.contentType == "text/event-stream")
            #expect(try await browser.post("increment", on: page).status == 204)

            let first = try #require(await stream.next())
            #expect(first.name == "section")
            #expect(try first.value("id") == "count")
            #expect(try #require(try first.value("html")).contains(#"<p id="count">1</p>"#))
            #expect(try #require(try first.value("html")).contains(try page.data("csrf")), "the form can be sent")

            _ = try await browser.post("note", ["text": "new"], on: page)
            #expect(try await stream.next()?.value("id") == "note")
            await stream.close()
        }
    }

    @Test func `an event that arrives twice is handled once`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            for id in ["a.1", "a.1", "a.2", "b.1", "a.2"] {
                #expect(try await browser.post("increment", ["_id": id], on: page).status == 204)
            }
            let stream = try await browser.connect(page)
            let change = try #require(await stream.next())
            #expect(try #require(try change.value("html")).contains(#"<p id="count">3</p>"#))
            await stream.close()
        }
    }

    @Test func `a new title is sent without the HTML of a section`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("title", ["text": "Sum"], on: page)
            let event = try #require(await stream.next())
            #expect(event.name == "screen")
            #expect(try event.value("title") == "Sum")
            #expect(try event.value("documentTitle") == "Sum · Toy")
            #expect(try event.value("html") == nil)
            await stream.close()
        }
    }

    @Test func `a new screen arrives complete with its address`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("slow", on: page)
            let event = try #require(await stream.next())
            #expect(event.name == "screen")
            #expect(try event.value("path") == "/slow/pushed")
            #expect(try #require(try event.value("html")).contains("Here is pushed"))

            // The page still shows the counter, so this event is for a screen that has left.
            #expect(try await browser.post("increment", on: page).status == 204)
            #expect(try await browser.post("_navigate", ["path": "/"], on: page).status == 204)
            let back = try #require(await stream.next())
            #expect(try #require(try back.value("html")).contains(#"<p id="count">0</p>"#))
            await stream.close()
        }
    }

    @Test func `an address in the history is opened, unless a screen below has that path`() async throws {
        try await TestHost.run { host in
            host.probe.gate.open()
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            #expect(try await browser.post("_navigate", ["path": "/slow/forward"], on: page).status == 204)
            #expect(try await stream.next()?.value("path") == "/slow/forward")
            #expect(try await browser.post("_navigate", ["path": "/nowhere"], on: page).status == 404)
            await stream.close()
        }
    }

    @Test func `a window accepts requests only from its own session`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stranger = Browser(host.port)
            _ = try await stranger.get("/")
            #expect(try await stranger.post("increment", on: page).status == 410)
            let stream = try await stranger.connect(page)
            #expect(await stream.next()?.name == "reload")
            #expect(await stream.next() == nil, "no other event follows")
            #expect(await stream.endsProperly)

            let nobody = Browser(host.port)
            #expect(try await nobody.post("increment", on: page).status == 410)
        }
    }

    @Test func `an unreadable form is refused`() async throws {
        var configuration = WebHostConfiguration()
        configuration.bodyLimit = 100
        try await TestHost.run(configuration) { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let endpoint = "/_host/windows/\(try page.data("window"))/events"
            let long = String(repeating: "a", count: 101)
            #expect(try await browser.post(raw: "text=\(long)", to: endpoint).status == 413)
            #expect(try await browser.post(raw: "text=%zz", to: endpoint).status == 400)
            #expect(try await browser.post(raw: "text=%ff", to: endpoint).status == 400)
            let json = ["content-type": "application/json"]
            #expect(try await browser.post(raw: "{}", to: endpoint, headers: json).status == 415)
            #expect(try await browser.post(raw: "", to: "/nowhere").status == 404)
        }
    }
}
