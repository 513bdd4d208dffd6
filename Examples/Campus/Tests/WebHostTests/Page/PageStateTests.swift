import Testing

@testable import WebHost

@Suite struct PageStateTests {
    private func page(_ htmls: String...) -> Page {
        var page = Page()
        page.show(isModal: false, heading: .init(title: "T", path: "/t"), parts: parts(htmls))
        return page
    }

    private func parts(_ htmls: [String]) -> [Page.Part] {
        htmls.enumerated().map { Page.Part(id: "s\($0)", html: $1) }
    }

    @Test func `the current version gets no changes`() {
        let page = page("a", "b")
        #expect(page.changes(since: page.version) == [])
    }

    @Test func `an earlier version gets each section that has changed since then once`() {
        var page = page("a", "b", "c")
        let loaded = page.version
        page.redraw("s2", html: "C")
        let later = page.version
        page.redraw("s0", html: "A")
        page.redraw("s0", html: "AA")
        #expect(page.changes(since: loaded) == [.section(0), .section(2)])
        #expect(page.changes(since: later) == [.section(0)])
    }

    @Test func `redrawing unchanged content is not a change`() {
        var page = page("a")
        let version = page.version
        page.redraw("s0", html: "a")
        page.redraw("other", html: "x")
        page.redraw(parts(["a"]))
        page.retitle(.init(title: "T", path: "/t"))
        #expect(page.version == version)
    }

    @Test func `a new title is a separate change`() {
        var page = page("a")
        let version = page.version
        page.retitle(.init(title: "U", path: "/t"))
        #expect(page.changes(since: version) == [.heading])
    }

    @Test func `an old screen, old sections or an unknown version gets the whole screen`() {
        var page = page("a")
        let first = page.version
        page.redraw(parts(["a", "b"]))
        #expect(page.changes(since: first) == [.screen])
        #expect(page.number == 1, "still the same screen")

        let second = page.version
        page.show(isModal: true, heading: .init(), parts: [])
        #expect(page.number == 2)
        #expect(page.changes(since: second) == [.screen])
        #expect(page.changes(since: -1) == [.screen, .bar, .dialog])
        #expect(page.changes(since: page.version + 1) == [.screen, .bar, .dialog])
    }

    @Test func `a changed bar is a separate change, also beside a new screen`() {
        var page = page("a")
        let first = page.version
        page.redrawBar(html: "<a>")
        #expect(page.changes(since: first) == [.bar])
        let second = page.version
        page.redrawBar(html: "<a>")
        #expect(page.version == second)
        page.show(isModal: false, heading: .init(), parts: [])
        #expect(page.changes(since: second) == [.screen])
        #expect(page.changes(since: first) == [.screen, .bar])
    }
}
