@testable import Backplane
import TestSupport
import Testing

/// The handle of an opened link.
@MainActor
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

    @Test(.rule("B51")) func `a link that is admitted after waiting stays opened`() async {
        let opening = motherboard.open("/course/abc123")
        #expect(opening == .waiting)
        #expect(opening.result != .opened)
        await asked.board(0).send(1)
        #expect(opening == .opened)
        #expect(opening.result == .opened)
        motherboard.complete(.words)
        #expect(opening == .opened)
        motherboard.complete()
        #expect(opening == .opened)
        #expect(journal.lines == ["abc123"])
    }

    @Test(.rule("B51"), arguments: [true, false])
    func `a caller that waits for a link receives the decision of its gate`(isOpen: Bool) async {
        let opening = motherboard.open("/course/abc123")
        let deciding = Task { await asked.board(0).send(isOpen ? 1 : 0) }
        let result = await opening.settled()
        #expect(result == (isOpen ? .opened : .denied(Denial(of: .words, by: .figures, .closed))))
        #expect(opening == result)
        #expect(journal.lines == (isOpen ? ["abc123"] : []))
        await deciding.value
    }

    @Test(.rule("B51")) func `several callers may wait for one link`() async {
        let opening = motherboard.open("/course/abc123")
        let first = Task { await opening.settled() }
        let second = Task { await opening.settled() }
        await asked.board(0).send(1)
        #expect(await first.value == .opened)
        #expect(await second.value == .opened)
    }

    @Test(.rule("B51")) func `a link that does not wait is settled immediately`() async {
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

    @Test(.rule("B51")) func `a waiting link that is completed is cancelled and not admitted later`() async {
        let opening = motherboard.open("/course/abc123")
        opening.complete()
        #expect(opening == .cancelled)
        #expect(await opening.settled() == .cancelled)
        #expect(opening.description.hasPrefix("cancelled: "))
        await asked.board(0).send(1)
        #expect(opening == .cancelled)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B51")) func `a caller that waits for a link receives the cancellation of the link`() async {
        let opening = motherboard.open("/course/abc123")
        let waiting = Task { await opening.settled() }
        await Task.yield()
        opening.complete()
        #expect(await waiting.value == .cancelled)
    }

    @Test(.rule("B51")) func `a cancelled wait for a link leaves the link waiting`() async {
        let opening = motherboard.open("/course/abc123")
        let waiting = Task { await opening.settled() }
        waiting.cancel()
        #expect(await waiting.value == .waiting)
        await asked.board(0).send(1)
        #expect(opening == .opened)
    }

    @Test(.rule("B51")) func `completing an opened link completes its board`() {
        motherboard.probe(.first)
        var ends: [Completion] = []
        motherboard.registerCompletionFlow(.first) { completion, _ in ends.append(completion) }
        let opening = motherboard.open("/first/1")
        opening.complete(.cancelled)
        #expect(ends.map(\.isCancelled) == [true])
        #expect(opening == .opened)
        opening.complete()
        motherboard.open("/nowhere").complete()
        #expect(ends.count == 1)
    }

    @Test(.rule("B51")) func `an old handle does not end a newer activation`() {
        motherboard.probe(.first)
        let opening = motherboard.open("/first/1")
        motherboard.open("/first/2")
        opening.complete()
        #expect(opening == .opened)
        #expect(motherboard.send(1, to: .first) == .delivered(1))
    }

    @Test func `the description of a link names its result and repeats nothing from the link`() {
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
