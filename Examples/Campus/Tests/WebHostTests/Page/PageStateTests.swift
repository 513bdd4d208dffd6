import Testing

@testable import WebHost

@Suite struct PageStateTests {
    private func page(_ htmls: String...) -> Page {
        var page = Page()
        page.show(.init(title: "T", path: "/t"), parts: parts(htmls), in: .main)
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
        page.redraw("s2", html: "C", in: .main)
        let later = page.version
        page.redraw("s0", html: "A", in: .main)
        page.redraw("s0", html: "AA", in: .main)
        #expect(page.changes(since: loaded) == [.section(.main, 0), .section(.main, 2)])
        #expect(page.changes(since: later) == [.section(.main, 0)])
    }

    @Test func `redrawing unchanged content is not a change`() {
        var page = page("a")
        let version = page.version
        page.redraw("s0", html: "a", in: .main)
        page.redraw("other", html: "x", in: .main)
        page.redraw(parts(["a"]), in: .main)
        page.retitle(.init(title: "T", path: "/t"), in: .main)
        #expect(page.version == version)
    }

    @Test func `a new title is a separate change`() {
        var page = page("a")
        let version = page.version
        page.retitle(.init(title: "U", path: "/t"), in: .main)
        #expect(page.changes(since: version) == [.heading(.main)])
    }

    @Test func `an old screen, old sections or an unknown version gets the whole screen`() {
        var page = page("a")
        let first = page.version
        page.redraw(parts(["a", "b"]), in: .main)
        #expect(page.changes(since: first) == [.screen(.main)])
        #expect(page.main.number == 1, "still the same screen")

        let second = page.version
        page.show(.init(), parts: [], in: .main)
        #expect(page.main.number == 2)
        #expect(page.changes(since: second) == [.screen(.main)])
        #expect(page.changes(since: -1) == [.screen(.main), .bar, .screen(.sheet), .dialog])
        #expect(page.changes(since: page.version + 1) == [.screen(.main), .bar, .screen(.sheet), .dialog])
    }

    @Test func `a changed bar is a separate change, even with a new screen`() {
        var page = page("a")
        let first = page.version
        page.redrawBar(html: "<a>")
        #expect(page.changes(since: first) == [.bar])
        let second = page.version
        page.redrawBar(html: "<a>")
        #expect(page.version == second)
        page.show(.init(), parts: [], in: .main)
        #expect(page.changes(since: second) == [.screen(.main)])
        #expect(page.changes(since: first) == [.screen(.main), .bar])
    }

    @Test func `a sheet has its own number and sections, and does not change the main area`() {
        var page = page("a")
        let first = page.version
        page.show(.init(title: "S"), parts: parts(["x", "y"]), in: .sheet)
        #expect(page.sheet.number == 2)
        #expect(page.main.number == 1)
        #expect(page.changes(since: first) == [.screen(.sheet)])
        let second = page.version
        page.redraw("s1", html: "Y", in: .sheet)
        #expect(page.changes(since: second) == [.section(.sheet, 1)])
        page.removeSheet()
        #expect(page.sheet.number == nil)
        #expect(page.changes(since: second) == [.screen(.sheet)])
        let third = page.version
        page.removeSheet()
        #expect(page.version == third)
        page.show(.init(), parts: [], in: .main)
        #expect(page.main.number == 3, "the number of the sheet is not used again")
    }

    @Test func `when a screen returns, it keeps its number, and later screens get new numbers`() {
        var page = Page(screenCount: 7, returning: 5)
        page.show(.init(), parts: [], in: .main)
        #expect(page.main.number == 5)
        page.show(.init(), parts: [], in: .sheet)
        #expect(page.sheet.number == 8)
        page.show(.init(), parts: [], in: .main)
        #expect(page.main.number == 9)
    }
}
