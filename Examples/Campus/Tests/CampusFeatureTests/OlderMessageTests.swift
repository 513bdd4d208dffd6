import Backplane
import CampusModels
import Testing

/// Tests of the pages of messages on the dashboard.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OlderMessageTests {
    private let campus = HeadlessCampus()

    init() {
        campus.server.user = "ada"
        campus.server.messages = (1...45).map { number in
            Message(id: Message.ID(rawValue: "old-\(number)"), recipients: [], text: "Message \(number).")
        }
    }

    private var messages: String { campus.section("messages") }
    private var count: Int { messages.ranges(of: "Message ").count }

    @Test func `older messages show page by page, and a page that fails can be loaded again`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        #expect(count == 20)
        campus.press("show-older")
        await campus.shows("Dashboard")
        #expect(count == 40)

        campus.server.areMessagesBroken = true
        campus.press("show-older")
        await campus.shows("Dashboard")
        #expect(count == 40)
        #expect(messages.contains("No list."))
        campus.server.areMessagesBroken = false
        campus.press("retry", ["section": "messages"])
        await campus.shows("Dashboard")
        #expect(count == 45)
        #expect(!messages.contains("No list."))
        #expect(messages.contains("older: nil"))
    }

    @Test func `a message that arrives between two pages is not shown, and all other messages are shown`() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.server.messages.insert(Message(id: "new", recipients: [], text: "Message from elsewhere."), at: 0)
        campus.press("show-older")
        await campus.shows("Dashboard")
        #expect(count == 40)
        for number in 1...40 { #expect(messages.contains("Message \(number).")) }
        campus.press("refresh")
        await campus.until { messages.contains("Message from elsewhere.") }
        #expect(count == 20)
    }
}
