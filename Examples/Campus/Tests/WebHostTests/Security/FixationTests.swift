import BackplaneTesting
import Testing
import WebHost

/// Attacks on a sign-in with a session that an attacker has planted in the victim's browser.
///
/// The attacker knows the cookie, the window and the token of its forms, because the victim follows
/// a link to a window of the attacker.
@Suite(.timeLimit(.minutes(5)))
struct FixationTests {
    @Test func `an attacker who knows the cookie and the window does not get the session of the victim`() async throws {
        try await TestHost.run { host in
            let attacker = Browser(host.port)
            let planted = try await attacker.get("/")
            let link = "/?_window=\(try planted.data("window"))"
            let spying = try await attacker.connect(planted)
            let victim = Browser(host.port)
            victim.session = attacker.session
            let page = try await victim.get(link)
            #expect(try page.data("window") == planted.data("window"))
            let stream = try await victim.connect(page)

            // Without the response, which may bring the cookie already.
            let old = victim.session
            _ = try await victim.post("signIn", on: page)
            #expect(await stream.next()?.name == "reconnect")
            #expect(await spying.next()?.name == "reconnect")
            #expect(await spying.next() == nil)
            victim.session = old

            let answer = try await attacker.get(link)
            #expect(answer.status == 503)
            #expect(answer.header("set-cookie") == nil)
            #expect(try await attacker.post("increment", on: planted).status == 410)
            let again = try await attacker.connect(planted)
            #expect(await again.next()?.name == "reload")
            #expect(attacker.session == old)

            let returned = try await victim.connect(page)
            #expect(victim.session != old)
            _ = try await victim.post("increment", on: page)
            #expect(try await returned.next()?.value("id") == "count")
            await stream.close()
            await returned.close()
        }
    }

    @Test func `without the script, only the response to the sign-in has the new cookie`() async throws {
        try await TestHost.run { host in
            let attacker = Browser(host.port, isScripted: false)
            let planted = try await attacker.get("/")
            let link = "/?_window=\(try planted.data("window"))"
            let victim = Browser(host.port, isScripted: false)
            victim.session = attacker.session
            let page = try await victim.get(link)
            let answer = try await victim.post("signIn", on: page)
            #expect(answer.status == 303)
            #expect(victim.session != attacker.session)

            let stolen = try await attacker.get(link)
            #expect(stolen.status == 503)
            #expect(stolen.header("set-cookie") == nil)
            #expect(try await attacker.post("note", ["text": "mine"], on: planted).header("location") == "/")
            #expect(try await victim.get(try #require(answer.header("location"))).text("note") == "nothing")
        }
    }

    @Test func `a page of the attacker that is loading during the sign-in does not show the session`() async throws {
        try await TestHost.run { host in
            let attacker = Browser(host.port, isScripted: false)
            let planted = try await attacker.get("/")
            let link = "/?_window=\(try planted.data("window"))"
            let victim = Browser(host.port)
            victim.session = attacker.session
            let page = try await victim.get(link)
            let stream = try await victim.connect(page)
            _ = try await victim.post("signInLate", on: page)
            // It waits until the screen is not busy any more.
            let request = attacker.request(link)
            async let waiting = Browser.fetch(request)
            await host.sleepers(2)
            host.probe.gate.open()
            let answer = try await waiting
            #expect(answer.status == 503)
            #expect(answer.header("set-cookie") == nil)
            await stream.close()
        }
    }
}
