import Backplane
import BackplaneNavigation
import CampusModels
import CampusTestTools
import ComposerInterface
import Screens
import Testing

/// Tests of writing a message, a flow with a nested board.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ComposerFlowTests {
    private let campus = HeadlessCampus()

    init() {
        campus.server.user = "ada"
    }

    /// Opens the composer from the dashboard.
    private func compose() async {
        campus.motherboard.open("/")
        await campus.shows("Dashboard")
        campus.compose()
        await campus.shows("New message")
    }

    private func choose(_ ids: String...) async {
        campus.press("add-recipients", ["text": "Hello"])
        await campus.shows("Recipients")
        campus.press("choose", Dictionary(uniqueKeysWithValues: ids.map { ("contact-\($0)", "on") }))
        await campus.shows("New message")
    }

    private var sent: [[String]] { campus.server.messages.map { $0.recipients.map(\.name) + [$0.text] } }

    @Test(.rule("B12", "B24")) func `a nested board chooses recipients, and the dashboard shows the sent message`()
        async
    {
        var outputs: [String] = []
        campus.onSession = { inside in
            inside.registerFlow(from: Composer.id) { output, _ in outputs.append("\(output)") }
            inside.registerCompletionFlow(Composer.id) { completion, _ in outputs.append("\(completion)") }
        }
        await compose()
        #expect(campus.paths == ["/", "/compose"])
        campus.press("add-recipients")
        await campus.shows("Recipients")
        #expect(campus.navigator.layers.map(\.style) == [nil, .sheet])
        campus.press("choose", ["contact-babbage": "on", "contact-grace": "on"])
        await campus.shows("New message")
        campus.press("send", ["text": "The engine runs."])
        await campus.shows("Dashboard")
        #expect(sent == [["Charles Babbage", "Grace Hopper", "The engine runs."]])
        #expect(outputs.map { $0.prefix(5) } == ["sent(", "done"])
        #expect(campus.paths == ["/"])
        #expect(campus.section("messages").contains("The engine runs."))
    }

    @Test func `a reopened picker shows the chosen contacts and can clear the selection`() async {
        await compose()
        await choose("grace")
        campus.press("add-recipients")
        await campus.shows("Recipients")
        let ticked = campus.section("contacts").split(separator: "isChosen: ").dropFirst().map { $0.prefix(4) }
        #expect(ticked == ["fals", "true"])
        campus.press("choose")
        await campus.shows("New message")
        campus.press("send", ["text": "Hello"])
        #expect(campus.section("message").contains("Choose at least one recipient."))
        #expect(sent.isEmpty)
    }

    @Test(.rule("B12"), arguments: ["cancelled", "left by going back"])
    func `a picker without a result leaves the message unchanged`(how: String) async {
        await compose()
        await choose("grace")
        campus.press("add-recipients", ["text": "Half a"])
        await campus.until { campus.paths.count == 3 }
        if how == "cancelled" { campus.press("cancel") } else { campus.navigator.back(to: "/compose") }
        await campus.shows("New message")
        #expect(campus.section("message").contains("Half a"))
        campus.press("send")
        await campus.shows("Dashboard")
        #expect(sent == [["Grace Hopper", "Half a"]])
    }

    @Test func `a message without recipients or text is not sent`() async {
        await compose()
        campus.press("send", ["text": "Hello"])
        #expect(campus.section("message").contains("Choose at least one recipient."))
        await choose("grace")
        #expect(!campus.section("message").contains("Choose at least"))
        campus.press("send", ["text": " \n"])
        #expect(campus.section("message").contains("Write a message."))
        #expect(sent.isEmpty)
    }

    @Test(.rule("B27", "B28")) func `leaving the composer ends the flow with its nested boards and sends nothing`()
        async
    {
        var endings: [String] = []
        campus.onSession = { inside in
            inside.registerCompletionFlow(Composer.id) { completion, _ in endings.append("\(completion)") }
        }
        await compose()
        campus.press("add-recipients")
        await campus.shows("Recipients")
        weak var picker: (any Screen)?
        picker = campus.navigator.top?.screen
        campus.navigator.back(to: "/")
        #expect(endings == ["cancelled"])
        await campus.until { picker == nil }
        #expect(campus.paths == ["/"])
        #expect(sent.isEmpty)
        campus.compose()
        await campus.shows("New message")
        #expect(campus.section("message").contains("recipients: []"))
    }

    @Test func `cancelling a message with a text asks first, and rejecting discards the message`() async {
        await compose()
        await choose("grace")
        campus.press("cancel", ["text": "Half a"])
        await campus.shows("Keep the message as a draft?")
        #expect(campus.paths == ["/", "/compose"])
        campus.choose("Discard")
        await campus.shows("Dashboard")
        #expect(campus.paths == ["/"])
        #expect(sent.isEmpty)
        campus.compose()
        await campus.shows("New message")
        #expect(campus.section("message").contains(#"recipients: [], text: """#))
    }

    @Test(arguments: ["dismissed", "hidden"])
    func `dismissing the draft question keeps the message open and intact`(how: String) async {
        await compose()
        await choose("grace")
        campus.press("cancel", ["text": "Half a"])
        await campus.shows("Keep the message as a draft?")
        if how == "dismissed" { campus.choose("Keep editing") } else { campus.navigator.topLayer.dialog?.hide() }
        await campus.shows("New message")
        #expect(campus.section("message").contains("Grace Hopper"))
        #expect(campus.section("message").contains("Half a"))
        campus.press("send")
        await campus.shows("Dashboard")
        #expect(sent == [["Grace Hopper", "Half a"]])
    }

    @Test func `leaving during the draft question discards the message`() async {
        await compose()
        campus.press("cancel", ["text": "Half a"])
        await campus.shows("Keep the message as a draft?")
        campus.navigator.back(to: "/")
        await campus.until { campus.motherboard.snapshot().ids.allSatisfy { $0.name != "composer" } }
        #expect(campus.paths == ["/"])
        #expect(sent.isEmpty)
    }

    @Test(arguments: ["add-recipients", "cancel"])
    func `a composer that is completed from outside removes its screens and dialogs`(event: String) async {
        await compose()
        let other = campus.motherboard.activate(Composer.id, with: "")
        await campus.until { campus.paths.count == 3 && campus.navigator.top?.screen.isBusy == false }
        campus.press(event, ["text": "Half a"])
        await campus.until { campus.navigator.layers.count == 2 || campus.dialog != nil }
        other.complete(.cancelled)
        #expect(campus.paths == ["/", "/compose"])
        await campus.until { campus.dialog == nil }
    }

    @Test func `two composers edit two messages at the same time`() async {
        await compose()
        await choose("grace")
        campus.motherboard.activate(Composer.id, with: "")
        await campus.until { campus.paths == ["/", "/compose", "/compose"] }
        #expect(campus.section("message").contains("recipients: []"))
        campus.press("cancel")
        await campus.until { campus.paths == ["/", "/compose"] }
        #expect(campus.section("message").contains("Grace Hopper"))
    }

    @Test func `cancelling a composer that was opened by a link shows the dashboard`() async {
        campus.motherboard.open("/compose")
        await campus.shows("New message")
        #expect(campus.paths == ["/compose"])
        campus.press("cancel")
        await campus.shows("Dashboard")
        #expect(campus.paths == ["/"])
    }
}
