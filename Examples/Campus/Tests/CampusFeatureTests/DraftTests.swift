import Backplane
import CampusDrafts
import CampusModels
import Foundation
import Testing

/// M18: tests of cancelled messages that are kept as drafts, by another `cancel` action.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DraftTests {
    private let campus = HeadlessCampus()

    init() {
        campus.server.user = "ada"
    }

    /// Opens the composer from the dashboard.
    private func compose(_ campus: HeadlessCampus) async {
        if campus.title == nil { campus.motherboard.open("/") }
        await campus.shows("Dashboard")
        campus.compose()
        await campus.shows("New message")
    }

    /// Writes to Grace Hopper, cancels, and answers the draft question.
    private func giveUp(_ text: String, answer: String, in campus: HeadlessCampus) async {
        await compose(campus)
        campus.press("add-recipients", ["text": text])
        await campus.shows("Recipients")
        campus.press("choose", ["contact-grace": "on"])
        await campus.shows("New message")
        campus.press("cancel")
        await campus.shows("Keep the message as a draft?")
        campus.choose(answer)
        await campus.shows(answer == "Keep editing" ? "New message" : "Dashboard")
    }

    private var message: String { campus.section("message") }

    @Test func `accepting the question keeps the draft, and the next message starts with the draft`() async {
        await giveUp("Half a thought", answer: "Save", in: campus)
        #expect(campus.paths == ["/"])
        await compose(campus)
        #expect(message.contains(#"recipients: ["Grace Hopper"], text: "Half a thought""#))
    }

    @Test func `rejecting the question removes the draft, also a draft kept before`() async {
        await giveUp("Half a thought", answer: "Save", in: campus)
        await giveUp("A thought", answer: "Discard", in: campus)
        #expect(campus.paths == ["/"])
        await compose(campus)
        #expect(message.contains(#"recipients: [], text: """#))
    }

    @Test func `dismissing the question keeps the composer open with its text`() async {
        await giveUp("Half a thought", answer: "Keep editing", in: campus)
        #expect(campus.paths == ["/", "/compose"])
        #expect(message.contains(#"recipients: ["Grace Hopper"], text: "Half a thought""#))
    }

    @Test func `sending a draft removes the draft`() async {
        await giveUp("Half a thought", answer: "Save", in: campus)
        await compose(campus)
        campus.press("send", ["text": "A thought"])
        await campus.shows("Dashboard")
        #expect(campus.server.messages.map(\.text) == ["A thought"])
        await compose(campus)
        #expect(message.contains(#"recipients: [], text: """#))
    }

    @Test func `cancelling a draft with a deleted text removes the draft without a question`() async {
        await giveUp("Half a thought", answer: "Save", in: campus)
        await compose(campus)
        campus.press("cancel", ["text": " "])
        await campus.shows("Dashboard")
        await compose(campus)
        #expect(message.contains(#"recipients: [], text: """#))
    }

    @Test func `a refused message can become a draft and then leaves the list of changes`() async {
        campus.server.isMailBroken = true
        await giveUp("Half a thought", answer: "Save", in: campus)
        await compose(campus)
        campus.press("send")
        await campus.shows("Dashboard")
        let id = campus.section("changes").firstMatch(of: #/id: "([^"]+)"/#).map { String($0.1) } ?? ""
        campus.press("edit", ["change": id])
        await campus.shows("New message")
        campus.press("cancel")
        await campus.shows("Keep the message as a draft?")
        campus.choose("Save")
        await campus.shows("Dashboard")
        #expect(campus.section("changes") == "nil")
        await compose(campus)
        #expect(message.contains("Half a thought"))
    }

    @Test func `another user of the same app starts without a draft`() async {
        let drafts = DraftStore()
        let ada = HeadlessCampus(drafts: drafts)
        ada.server.user = "ada"
        await giveUp("Half a thought", answer: "Save", in: ada)
        let grace = HeadlessCampus(drafts: drafts)
        grace.server.user = "grace"
        await compose(grace)
        #expect(grace.section("message").contains(#"recipients: [], text: """#))
    }

    @Test func `a draft that cannot be saved shows the reason, and its text stays`() async {
        let nowhere = URL.temporaryDirectory.appending(path: "\(UUID().uuidString)/drafts.sqlite")
        let campus = HeadlessCampus(drafts: DraftStore(file: nowhere))
        campus.server.user = "ada"
        await compose(campus)
        #expect(campus.section("message").contains("cannot be opened"))
        campus.press("cancel", ["text": "Half a thought"])
        await campus.shows("Keep the message as a draft?")
        campus.choose("Save")
        await campus.shows("New message")
        #expect(campus.section("message").contains("cannot be saved"))
        #expect(campus.section("message").contains("Half a thought"))
        campus.press("cancel", ["text": ""])
        await campus.shows("Dashboard")
        #expect(campus.paths == ["/"], "the composer can still be closed")
    }
}
