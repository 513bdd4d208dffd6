import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    @Test func `a change between a page's load and its connection is not lost`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            _ = try await browser.post("increment", on: page)
            let stream = try await browser.connect(page)
            #expect(try await stream.next()?.value("id") == "count")
            await stream.close()
        }
    }

    @Test func `a new connection gets each missed change once, and no change that it knows`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let first = try await browser.connect(page)
            _ = try await browser.post("increment", on: page)
            let seen = try #require(await first.next())
            await first.close()
            _ = try await browser.post("note", ["text": "missed"], on: page)

            let second = try await browser.connect(page, lastEventID: seen.id)
            let missed = try #require(await second.next())
            #expect(try missed.value("id") == "note")
            await second.close()

            // No change was missed: the next event is the next change.
            let third = try await browser.connect(page, lastEventID: missed.id)
            _ = try await browser.post("increment", on: page)
            let next = try #require(await third.next())
            #expect(try next.value("id") == "count")
            #expect(try #require(try next.value("html")).contains(">2<"))
            await third.close()
        }
    }

    @Test func `an unknown version gets the whole screen`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            for version in ["0", "999999", "-1", "x"] {
                let stream = try await browser.connect(page, lastEventID: version)
                #expect(await stream.next()?.name == "screen")
                await stream.close()
            }
        }
    }

    @Test func `an update of several sections has its version only in the last event`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            _ = try await browser.post("both", on: page)
            // Both sections are drawn before the response to this request, which does not wait.
            _ = try await browser.get("/?_window=\(try page.data("window"))")
            let stream = try await browser.connect(page)
            let events = [try #require(await stream.next()), try #require(await stream.next())]
            #expect(try events.map { try $0.value("id") } == ["count", "note"])
            #expect(events[0].id == nil)
            #expect(events[1].id != nil)
            await stream.close()
        }
    }

    @Test func `changes in one turn are one patch, and a returning client gets only the newest state`() async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let page = try await browser.get("/")
            let stream = try await browser.connect(page)
            _ = try await browser.post("incrementOften", ["times": "1000"], on: page)
            let event = try #require(await stream.next())
            #expect(try #require(try event.value("html")).contains(">1000<"))
            await stream.close()

            for _ in 0..<20 { _ = try await browser.post("increment", on: page) }
            let late = try await browser.connect(page, lastEventID: event.id)
            #expect(try #require(try await late.next()?.value("html")).contains(">1020<"))
            _ = try await browser.post("note", ["text": "end"], on: page)
            #expect(try await late.next()?.value("id") == "note", "there was no backlog")
            await late.close()
        }
    }
}
