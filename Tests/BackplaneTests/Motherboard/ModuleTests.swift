import Backplane
import TestSupport
import Testing

@MainActor
struct ModuleTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    private struct Shelf: BoardModule {
        let journal: Journal

        func register(on motherboard: Motherboard) {
            motherboard.probe(.words) { [journal] board, input in
                journal.note(input)
                board.send(input)
            }
            motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
            motherboard.gate(.words, by: .doorkeeper) { $0 ? .open : .closed }
            motherboard.registerFlow(from: .words) { [journal] output, _ in journal.note("flow \(output)") }
            motherboard.registerLink("word/{word}", to: .words)
        }
    }

    @Test(.rule("B37", "B59", "B62")) func `one call installs several modules, even several modules of one type`() {
        motherboard.install(
            Feed(board: .first, journal: journal),
            Feed(board: .second, journal: journal),
            Shelf(journal: journal)
        )
        #expect(journal.lines.isEmpty)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.second, with: 2)
        #expect(motherboard.open("/word/hello") == .opened)
        #expect(journal.lines == ["first 1", "second 2", "hello", "flow hello"])
    }

    @Test func `a module may be installed without its concrete type`() {
        let modules: [any BoardModule] = [Shelf(journal: journal), Feed(board: .first, journal: journal)]
        for module in modules { motherboard.install(module) }
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["first 1"])
    }

    @Test(.rule("B59")) func `modules that are installed together may use each other's links as parents`() {
        motherboard.install(
            Page("course/{id}/post/{post}", parents: ["", "course/{id}"]),
            Page("course/{id}", parents: [""]),
            Page("", parents: [])
        )
        #expect(motherboard.parents(of: "/course/1/post/2") == ["/", "/course/1"])
    }

    @Test(.rule("B59")) func `an earlier link, an outer link or a less literal link may match a parent`() {
        motherboard.allowLinks(schemes: ["myapp"])
        motherboard.registerLink("", to: .doorkeeper)
        motherboard.registerLink("{kind}/{id}", to: .words) { link in try link["id"] }
        motherboard.registerLink("shelf/new/{id}", to: .words)
        motherboard.registerLink("partner://door", to: .doorkeeper)
        motherboard.install(
            Page(
                "a/b/c/{id}?tab={tab}",
                parents: ["", "course/{id}?tab={tab}", "myapp://course/new", "partner://door"]
            )
        )
        motherboard.probe(.second) { board, _ in
            board.inner.install(Page("inner/{id}/x", parents: ["", "inner/{id}"]))
            #expect(board.inner.parents(of: "/inner/7/x") == ["/", "/inner/7"])
        }
        motherboard.activate(.second, with: 0)
        #expect(motherboard.send(0, to: .second) == .delivered(1))
    }

    @Test(.rule("B59")) func `the links of a module that installs other modules are checked together`() {
        motherboard.install(Bundle())
        #expect(motherboard.parents(of: "/course/1") == ["/"])
    }
}

/// A module that is installed once for each of several boards.
private struct Feed: BoardModule {
    let board: BoardID<Numbers>
    let journal: Journal
    var identity: BoardID<Numbers> { board }

    func register(on motherboard: Motherboard) {
        motherboard.probe(board) { [journal] made, input in journal.note("\(made.slot.id) \(input)") }
    }
}

/// A module with one link.
private struct Page: BoardModule {
    let identity: LinkTemplate
    let parents: [LinkTemplate]

    init(_ template: LinkTemplate, parents: [LinkTemplate]) {
        identity = template
        self.parents = parents
    }

    func register(on motherboard: Motherboard) {
        motherboard.registerLink(identity, to: .words, parents: parents) { _ in "" }
    }
}

/// A module that installs another module and registers the parent of its link afterwards.
private struct Bundle: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.install(Page("course/{id}", parents: [""]))
        motherboard.registerLink("", to: .doorkeeper)
    }
}
