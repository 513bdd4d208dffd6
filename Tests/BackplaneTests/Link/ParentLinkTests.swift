import Backplane
import TestSupport
import Testing

@MainActor @Suite(.rule("B39"))
struct ParentLinkTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.probe(.words) { [journal] _, input in journal.note(input) }
        motherboard.probe(.doorkeeper) { [journal] _, _ in journal.note("home") }
        motherboard.allowLinks(schemes: ["myapp"])
        motherboard.registerLink("", to: .doorkeeper)
        motherboard.registerLink("course/{id}", to: .words, parents: [""])
        motherboard.registerLink(
            "course/{id}/post/{post}?tab={tab}",
            to: .words,
            parents: ["", "course/{id}", "posts/{post}?of={id}&tab={tab}"]
        ) { link in try link["post"] }
        motherboard.registerLink("about", to: .doorkeeper, parents: ["", "myapp://help"])
    }

    @Test func `a link has no parents unless its registration names them`() {
        #expect(motherboard.open("/") == .opened)
        #expect(motherboard.parents(of: "/").isEmpty)
        motherboard.registerLink("plain/{id}", to: .words) { link in try link["id"] }
        motherboard.registerLink("plainer/{id}", to: .words)
        #expect(motherboard.parents(of: "/plain/1").isEmpty)
        #expect(motherboard.parents(of: "/plainer/1").isEmpty)
    }

    @Test func `parents are listed with the outermost first, and the values of the link are encoded again`() {
        #expect(motherboard.parents(of: "myapp://course/a%2Fb") == ["/"])
        #expect(
            motherboard.parents(of: "/course/a%2Fb/post/%25?tab=c%26d") == [
                "/", "/course/a%2Fb", "/posts/%25?of=a%2Fb&tab=c%26d",
            ]
        )
        #expect(motherboard.parents(of: "/course/1/post/2") == ["/", "/course/1", "/posts/2?of=1"])
        #expect(motherboard.parents(of: "/about") == ["/", "myapp://help"])
    }

    @Test func `opening a link or reading its parents does not open the parents`() {
        #expect(motherboard.open("/course/1/post/2") == .opened)
        #expect(motherboard.parents(of: "/course/1/post/2").count == 3)
        #expect(journal.lines == ["2"])
        for parent in motherboard.parents(of: "/course/1/post/2").prefix(2) {
            #expect(motherboard.open(parent) == .opened)
        }
        #expect(journal.lines == ["2", "home", "1"])
    }

    @Test(arguments: ["/nowhere", "other://course/1/post/2", "/course/%zz/post/2", "", "/course/../post/2"])
    func `a malformed or unmatched link has no parents`(link: String) {
        #expect(motherboard.parents(of: link).isEmpty)
    }

    @Test(
        arguments: [
            ("/post/2", ["/"]), ("/post/2?course=", ["/"]), ("/post/2?course=..", ["/"]),
            ("/post/2?course=1", ["/", "/course/1"]),
        ]
    )
    func `a parent without a value for its path is omitted`(link: String, parents: [String]) {
        motherboard.registerLink("post/{post}?course={id}", to: .words, parents: ["", "course/{id}"]) { link in
            try link["post"]
        }
        #expect(motherboard.parents(of: link) == parents)
    }

    @Test func `a nested motherboard finds the parents of links that its parent motherboard registers`() {
        let inner = motherboard.makeInner()
        inner.registerLink("inner", to: .doorkeeper, parents: ["about"])
        #expect(inner.parents(of: "/inner") == ["/about"])
        #expect(inner.parents(of: "/course/1") == ["/"])
        #expect(motherboard.parents(of: "/inner").isEmpty)
    }
}
