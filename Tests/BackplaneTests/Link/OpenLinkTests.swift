import Foundation
import TestSupport
import Testing

@testable import Backplane

@MainActor
struct OpenLinkTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.probe(.words) { [journal] _, input in journal.note(input) }
        motherboard.probe(.first) { [journal] _, input in journal.note("\(input)") }
        motherboard.probe(.doorkeeper) { [journal] _, _ in journal.note("home") }
        motherboard.allowLinks(schemes: ["myapp"], hosts: ["campus.example"])
        motherboard.registerLink("course/{id}", to: .words)
        motherboard.registerLink("page/{number}?extra={extra}", to: .first) { link in
            let number: Int = try link["number"]
            let extra: Int? = try link["extra"]
            return number + (extra ?? 0)
        }
        motherboard.registerLink("", to: .doorkeeper)
    }

    @Test(.rule("B38")) func `link parameters are converted to their types`() {
        #expect(motherboard.open("/page/7?extra=3") == .opened)
        #expect(motherboard.open("/page/7") == .opened)
        #expect(motherboard.open("/") == .opened)
        #expect(journal.lines == ["10", "7", "home"])
        guard case .invalid(let error) = motherboard.open("/page/seven").result else {
            Issue.record("A parameter that is not a number must make the link invalid.")
            return
        }
        #expect(error.code == .unconvertibleParameter)
        #expect(!error.message.contains("seven"))
    }

    @Test(.rule("B40")) func `canOpen returns whether a link can be opened, and activates nothing`() throws {
        for link in ["/course/abc123", "myapp://course/abc123", "/", "/page/seven"] {
            #expect(motherboard.canOpen(link))
        }
        for link in ["/nowhere", "/course/%zz", "other://course/abc123", ""] {
            #expect(!motherboard.canOpen(link))
        }
        #expect(motherboard.canOpen(try #require(URL(string: "https://campus.example/course/abc123"))))
        let inner = motherboard.makeInner()
        inner.registerLink("inner", to: .doorkeeper)
        #expect(inner.canOpen("/inner"))
        #expect(inner.canOpen("/course/abc123"), "an outer motherboard knows the link")
        #expect(!motherboard.canOpen("/inner"))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B40")) func `a link has no match without its board, and is opened if the board ends at once`() {
        let record = motherboard.observeEvents()
        motherboard.registerLink("third/{n}", to: .third)
        #expect(motherboard.open("/third/3") == .noMatch)
        #expect(record.boards(.noSuchBoard) == ["third"])
        motherboard.probe(.third) { board, _ in board.complete() }
        #expect(motherboard.open("/third/3") == .opened)
    }

    @Test func `a completed motherboard opens no links`() {
        let inner = motherboard.makeInner()
        inner.complete()
        for link in ["/course/a", "myapp://course/a", "other://course/a", "%"] {
            #expect(inner.open(link) == .ownerGone)
        }
        motherboard.complete()
        #expect(motherboard.open("/course/a") == .ownerGone)
        #expect(motherboard.parents(of: "/course/a").isEmpty)
        #expect(!motherboard.canOpen("/course/a"))
        #expect(motherboard.open("/course/a").description.hasPrefix("ownerGone: "))
        #expect(journal.lines.isEmpty)
    }

    @Test(
        .rule("B59"),
        arguments: ["https://elsewhere.example/course/abc123", "other://course/abc123", "http://campus.example/"]
    )
    func `a link with an unlisted scheme or host is not allowed, and its description names allowLinks`(link: String) {
        let opening = motherboard.open(link)
        #expect(opening == .notAllowed)
        #expect(opening.description.contains("allowLinks(schemes:hosts:)"))
        #expect(!opening.description.contains(link))
        #expect(motherboard.parents(of: link).isEmpty)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B59")) func `a link is allowed if the motherboard or an ancestor allows it`() {
        let inner = motherboard.makeInner()
        inner.registerLink("inner", to: .doorkeeper)
        #expect(inner.open("myapp://course/abc123") == .opened)
        #expect(inner.open("myapp://inner") == .noMatch, "only the outer motherboard allows myapp:")
        #expect(inner.open("other://inner") == .notAllowed)
        inner.allowLinks(schemes: ["other"])
        #expect(inner.open("other://inner") == .opened)
        #expect(inner.open("other://course/abc123") == .noMatch, "only the inner motherboard allows other:")
        #expect(motherboard.open("other://course/abc123") == .notAllowed)
    }

    @Test(.rule("B59")) func `a link may be a URL`() throws {
        #expect(motherboard.open(try #require(URL(string: "myapp://course/a%2Fb"))) == .opened)
        let root = try #require(URL(string: "https://campus.example/course/"))
        #expect(motherboard.open(try #require(URL(string: "abc123", relativeTo: root))) == .opened)
        #expect(motherboard.open(try #require(URL(string: "other://course/1"))) == .notAllowed)
        #expect(motherboard.open(try #require(URL(string: "/nowhere"))) == .noMatch)
        #expect(journal.lines == ["a/b", "abc123"])
    }

    @Test(.rule("B40")) func `if the input closure throws, the link is invalid`() {
        motherboard.registerLink("odd/{n}", to: .first) { _ in throw Oops() }
        guard case .invalid(let error) = motherboard.open("/odd/1").result else {
            Issue.record("The link must be invalid.")
            return
        }
        #expect(error.code == .refusedParameters)
        #expect(error.message.contains("Oops"))
    }

    @Test(.rule("B40")) func `a gate that closes immediately denies the link`() {
        motherboard.probe(.figures) { board, _ in board.complete() }
        motherboard.gate(.words, by: .figures, with: 0) { _ in .open }
        #expect(motherboard.open("/course/abc123") == .denied(Denial(of: .words, by: .figures, .gateDone)))
    }

    @Test func `a nested motherboard passes unknown links to its parent motherboard`() {
        let inner = motherboard.makeInner()
        inner.registerLink("inner", to: .doorkeeper)
        #expect(inner.open("/course/outer") == .opened)
        #expect(inner.open("/inner") == .opened)
        #expect(inner.open("/page/7") == .opened)
        #expect(!inner.isLive(.first))
        #expect(motherboard.isLive(.first), "a board lives where its link is registered")
        #expect(motherboard.open("/inner") == .noMatch)
        #expect(journal.lines == ["outer", "home", "7"])
    }
}
