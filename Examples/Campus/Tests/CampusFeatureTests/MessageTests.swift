import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import ComposerInterface
import LoginInterface
import Screens
import Testing

/// Tests of messages that show before the server has confirmed them (M10).
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MessageTests {
    private let campus = HeadlessCampus()

    init() {
        campus.server.user = "ada"
    }

    /// Keeps a message as a draft, and opens the draft in two composers.
    private func openDraftTwice() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.compose()
        await campus.shows("New message")
        campus.press("add-recipients", ["text": "Hello"])
        await campus.shows("Recipients")
        campus.press("choose", ["contact-grace": "on"])
        await campus.shows("New message")
        campus.press("cancel")
        await campus.shows("Keep the message as a draft?")
        campus.choose("Save")
        await campus.shows("Dashboard")
        for count in 2...3 {
            campus.motherboard.activate(Composer.id, with: "")
            await campus.until { campus.paths.count == count && campus.section("message").contains("Hello") }
        }
    }

    /// Writes a message to Grace Hopper and presses Send.
    private func send(_ text: String) async {
        if campus.title == nil { campus.motherboard.open("/") }
        await campus.until { campus.title == "Dashboard" }
        campus.compose()
        await campus.shows("New message")
        campus.press("add-recipients", ["text": text])
        await campus.shows("Recipients")
        campus.press("choose", ["contact-grace": "on"])
        await campus.shows("New message")
        campus.press("send")
        await campus.until { campus.title == "Dashboard" }
    }

    private var messages: String { campus.section("messages") }
    private var changes: String { campus.section("changes") }

    private func count(_ text: String) -> Int { messages.ranges(of: text).count }

    @Test(.rule("A2")) func `a message shows at once as being sent, and as sent after the server's response`() async {
        let latch = AsyncLatch()
        campus.server.mailLatch = latch
        await send("Hello")
        #expect(messages.contains("Hello"))
        #expect(messages.contains("It is being sent."))
        #expect(campus.server.messages.isEmpty)
        await campus.until { !messages.contains("isLoading: true") }
        #expect(campus.navigator.top?.screen.isBusy == true, "a page load without script waits for the outcome")
        latch.open()
        await campus.shows("Dashboard")
        #expect(count("Hello") == 1)
        #expect(!messages.contains("It is being sent."))
        #expect(campus.server.messages.count == 1)
        #expect(changes == "nil")
    }

    @Test(.rule("A6")) func `the server's version replaces the sent message, also if loading fails`() async {
        let latch = AsyncLatch()
        campus.server.mailLatch = latch
        await send("Hello")
        await campus.until { !messages.contains("isLoading: true") }
        campus.server.areMessagesBroken = true
        campus.server.contacts = [Contact(id: "grace", name: "Rear Admiral Hopper", role: .student)]
        latch.open()
        await campus.shows("Dashboard")
        #expect(messages.contains("Rear Admiral Hopper"))
        #expect(!messages.contains("Grace Hopper"))
        #expect(!messages.contains("It is being sent."))
        #expect(count("Hello") == 1)
    }

    @Test(.rule("A7")) func `loads during the sending do not hide or duplicate the message`() async {
        let latch = AsyncLatch()
        campus.server.mailLatch = latch
        await send("Hello")
        campus.press("refresh")
        await campus.until { !messages.contains("isLoading: true") }
        #expect(count("Hello") == 1)
        latch.open()
        campus.press("refresh")
        #expect(count("Hello") == 1)
        await campus.shows("Dashboard")
        #expect(count("Hello") == 1)
    }

    @Test(.rule("A18")) func `two messages show at once and are sent in order`() async {
        let latch = AsyncLatch()
        campus.server.mailLatch = latch
        await send("First")
        await send("Second")
        #expect(count("It is being sent.") == 1)
        #expect(count("It is sent when its turn comes.") == 1)
        #expect(campus.server.mailKeys.count == 1)
        latch.open()
        await campus.until { campus.server.messages.count == 2 }
        await campus.shows("Dashboard")
        #expect(campus.server.messages.map(\.text) == ["Second", "First"])
        #expect(count("First") == 1)
        #expect(count("Second") == 1)
    }

    @Test(.rule("A4")) func `a rejected message leaves the list, shows the reason and can be edited and sent again`()
        async
    {
        campus.server.isMailBroken = true
        await send("Hello")
        await campus.shows("Dashboard")
        #expect(count("Hello") == 0)
        #expect(changes.contains("The post is on strike."))
        #expect(changes.contains("Hello"))
        #expect(changes.contains("Grace Hopper"))

        campus.server.isMailBroken = false
        campus.press("edit", ["change": id(of: changes)])
        await campus.shows("New message")
        #expect(campus.section("message").contains("Grace Hopper"))
        campus.press("send", ["text": "Hello again"])
        await campus.shows("Dashboard")
        #expect(campus.server.messages.map(\.text) == ["Hello again"])
        #expect(changes == "nil")
    }

    @Test func `a rejected message stays in the list of changes until it is sent or discarded`() async {
        campus.server.isMailBroken = true
        await send("Hello")
        await campus.shows("Dashboard")
        campus.press("edit", ["change": id(of: changes)])
        await campus.shows("New message")
        campus.navigator.back(to: "/")
        #expect(changes.contains("Hello"))
        campus.compose()
        await campus.shows("New message")
        #expect(campus.section("message").contains(#"text: """#), "a new message")
        campus.press("cancel")
        await campus.shows("Dashboard")

        campus.press("edit", ["change": id(of: changes)])
        await campus.shows("New message")
        campus.press("cancel")
        await campus.shows("Keep the message as a draft?")
        campus.choose("Discard")
        await campus.shows("Dashboard")
        #expect(changes == "nil")
    }

    @Test func `discarding a rejected message keeps the others`() async {
        campus.server.isMailBroken = true
        await send("First")
        await campus.shows("Dashboard")
        await send("Second")
        await campus.shows("Dashboard")
        campus.press("discard", ["change": id(of: changes)])
        await campus.shows("Dashboard")
        #expect(!changes.contains("First"))
        #expect(changes.contains("Second"))
    }

    @Test(.rule("A5")) func `a message whose response is lost stays and is sent again with the same key`() async {
        campus.server.isMailLost = true
        await send("Hello")
        await campus.clock.sleepers(atLeast: 1)
        // The server lists it, too, and nothing tells yet that both are the same message (A21).
        #expect(messages.contains("Hello"))
        #expect(messages.contains("It is not confirmed yet"))
        campus.server.isMailLost = false
        campus.clock.advance(by: .seconds(1))
        await campus.until { !messages.contains("It is not confirmed yet") }
        await campus.shows("Dashboard")
        #expect(count("Hello") == 1)
        #expect(campus.server.messages.count == 1)
        #expect(campus.server.mailKeys.count == 2)
        #expect(Set(campus.server.mailKeys).count == 1)
    }

    @Test func `an unconfirmed message can be resent without waiting`() async {
        campus.server.isMailLost = true
        await send("Hello")
        await campus.clock.sleepers(atLeast: 1)
        campus.server.isMailLost = false
        campus.press("resend")
        await campus.until { campus.server.mailKeys.count == 2 }
        await campus.shows("Dashboard")
        #expect(count("Hello") == 1)
        #expect(!messages.contains("It is not confirmed yet"))
    }

    @Test func `a sign-out discards unconfirmed messages, and the next user does not see them`() async {
        campus.server.isMailLost = true
        await send("Hello")
        await campus.clock.sleepers(atLeast: 1)
        campus.press("sign-out")
        await campus.until { !campus.motherboard.isLive(Session.id) && campus.server.account == nil }
        campus.clock.advance(by: .seconds(60))
        campus.server.messages = []
        campus.motherboard.open("/")
        await campus.signIn()
        await campus.shows("Dashboard")
        #expect(count("Hello") == 0)
        #expect(campus.server.mailKeys.count == 1)
    }

    @Test func `a rejected message counts as unsent, even if its draft was discarded in the meantime`() async {
        let latch = AsyncLatch()
        campus.server.mailLatch = latch
        campus.server.isMailBroken = true
        await openDraftTwice()
        campus.press("send")
        await campus.until { campus.paths == ["/", "/compose"] && campus.server.mailKeys.count == 1 }
        campus.press("cancel")
        await campus.shows("Keep the message as a draft?")
        campus.choose("Discard")
        await campus.until { campus.title == "Dashboard" }
        latch.open()
        await campus.until { changes.contains("Hello") }
    }

    @Test func `a message from a composer opened by a link shows on the dashboard`() async {
        let latch = AsyncLatch()
        campus.server.mailLatch = latch
        campus.server.messages = [Message(id: "old", recipients: [], text: "Before")]
        campus.motherboard.open("/compose")
        await campus.shows("New message")
        campus.press("add-recipients", ["text": "Hello"])
        await campus.shows("Recipients")
        campus.press("choose", ["contact-grace": "on"])
        await campus.shows("New message")
        campus.press("send")
        await campus.until { campus.title == "Dashboard" && messages.contains("Hello") }
        #expect(messages.contains("Before"))
        #expect(messages.contains("It is being sent."))
        latch.open()
        await campus.shows("Dashboard")
        #expect(count("Hello") == 1)
    }

    @Test func `a draft that two composers send becomes two messages`() async {
        await openDraftTwice()
        for count in 1...2 {
            campus.press("send")
            await campus.until { campus.server.messages.count == count && campus.paths.count == 3 - count }
        }
        await campus.shows("Dashboard")
        #expect(count("Hello") == 2)
        #expect(changes == "nil")
    }

    @Test func `a sent message and the older pages show each message once`() async {
        campus.server.messages = (1...30).map { number in
            Message(id: Message.ID(rawValue: "old-\(number)"), recipients: [], text: "Message \(number).")
        }
        await send("Hello")
        await campus.shows("Dashboard")
        campus.press("show-older")
        await campus.shows("Dashboard")
        #expect(count("Hello") == 1)
        for number in 1...30 { #expect(count("Message \(number).") == 1) }
    }

    /// Returns the ID of the first message in a section's model.
    private func id(of section: String) -> String {
        section.firstMatch(of: #/id: "([^"]+)"/#).map { String($0.1) } ?? ""
    }
}
