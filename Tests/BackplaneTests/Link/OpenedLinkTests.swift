import TestSupport
import Testing

@testable import Backplane

/// The handle of an opened link.
@MainActor @Suite(.rule("B51"))
struct OpenedLinkTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let asked = Asked<Figures>()

    init() {
        motherboard.probe(.words) { [journal] _, input in journal.note(input) }
        motherboard.probe(.figures, notedIn: asked)
        motherboard.gate(.words, by: .figures, with: 0) { $0 > 0 ? .open : .closed }
        motherboard.registerLink("course/{id}", to: .words)
        motherboard.registerLink("first/{n}", to: .first)
    }

    @Test(.rule("B41")) func `a link that is admitted after waiting proceeds to its target and stays opened`() async {
        let opening = motherboard.open("/course/abc123")
        #expect(opening == .waiting)
        #expect(opening.result != .opened)
        #expect(journal.lines.isEmpty)
        await asked.board(0).send(1)
        #expect(opening.result == .opened)
        motherboard.complete(.words)
        #expect(opening == .opened)
        motherboard.complete()
        #expect(opening == .opened)
        #expect(journal.lines == ["abc123"])
    }

    @Test(arguments: [true, false])
    func `each caller that waits for a link receives the decision of its gate`(isOpen: Bool) async {
        let opening = motherboard.open("/course/abc123")
        let callers = (0..<2).map { _ in Task { await opening.settled() } }
        await Task.yield()
        await asked.board(0).send(isOpen ? 1 : 0)
        for caller in callers {
            #expect(await caller.value == (isOpen ? .opened : .denied(Denial(of: .words, by: .figures, .closed))))
        }
        #expect(journal.lines == (isOpen ? ["abc123"] : []))
    }

    @Test func `a link that does not wait is settled immediately`() async {
        motherboard.probe(.first)
        motherboard.registerLink("missing", to: .doorkeeper)
        #expect(await motherboard.open("/first/1").settled() == .opened)
        #expect(await motherboard.open("/missing").settled() == .noMatch)
        #expect(await motherboard.open("/nowhere").settled() == .noMatch)
        #expect(await motherboard.open("myapp://course/1").settled() == .notAllowed)
        let invalid = await motherboard.open("/first/one").settled()
        guard case .invalid(let error) = invalid else {
            Issue.record("Expected an invalid link, but the result is \(invalid).")
            return
        }
        #expect(error.code == .unconvertibleParameter)
    }

    @Test func `a waiting link that is completed is cancelled and not admitted later`() async {
        let opening = motherboard.open("/course/abc123")
        let waiting = Task { await opening.settled() }
        await Task.yield()
        opening.complete()
        #expect(opening == .cancelled)
        #expect(await waiting.value == .cancelled)
        #expect(opening.description.hasPrefix("cancelled: "))
        await asked.board(0).send(1)
        #expect(opening == .cancelled)
        #expect(journal.lines.isEmpty)
    }

    @Test func `if a wait for a link is cancelled, the link keeps waiting`() async {
        let opening = motherboard.open("/course/abc123")
        let waiting = Task { await opening.settled() }
        waiting.cancel()
        #expect(await waiting.value == .waiting)
        await asked.board(0).send(1)
        #expect(opening == .opened)
    }

    @Test func `completing an opened link completes its board, but no newer activation`() {
        motherboard.probe(.first)
        motherboard.noteCompletions(of: .first, in: journal)
        let old = motherboard.open("/first/1")
        let opening = motherboard.open("/first/2")
        old.complete()
        #expect(old == .opened)
        #expect(motherboard.isLive(.first))
        opening.complete(.cancelled)
        opening.complete()
        motherboard.open("/nowhere").complete()
        #expect(opening == .opened)
        #expect(journal.lines == ["cancelled"])
    }

    @Test func `the description of a link has its result, and no text of the link`() {
        motherboard.probe(.first)
        #expect(motherboard.open("/first/1").description == "opened")
        #expect(motherboard.open("/course/secret").description.hasPrefix("waiting: "))
        #expect(motherboard.open("/first/secret").description.hasPrefix("invalid: "))
        #expect(motherboard.open("/secret").description.hasPrefix("noMatch: "))
        for link in ["/course/secret", "/first/secret", "/secret", "/secret/%ZZ", "secret://x"] {
            #expect(!motherboard.open(link).description.contains("secret"))
        }
    }
}
