import Backplane
import BackplaneNavigation
import CampusModels
import CampusTestTools
import ComposerFeature
import ComposerInterface
import ComposerModels
import Screens
import Testing

/// M17: tests of the statistics, which observe the actions of the composer without a change to it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AnalyticsTests {
    private let campus = HeadlessCampus()

    /// Opens the composer.
    private func compose() async {
        campus.server.user = "ada"
        campus.motherboard.open("/compose")
        await campus.shows("New message")
    }

    @Test(.rule("M17")) func `an action is reported when it starts and when it has finished`() async {
        await compose()
        campus.press("add-recipients", ["text": "Half a thought"])
        await campus.shows("Recipients")
        #expect(campus.events == ["composer.addRecipient started"])
        campus.press("choose", ["contact-grace": "on"])
        await campus.shows("New message")
        #expect(campus.events == ["composer.addRecipient started", "composer.addRecipient finished"])
    }

    @Test(.rule("M17"), arguments: [("Keep editing", "finished"), (nil, "dismissed")])
    func `the third answer of a question is an answer, and no answer is not`(answer: String?, end: String) async {
        await compose()
        campus.press("cancel", ["text": "Half a thought"])
        await campus.shows("Keep the message as a draft?")
        if let answer { campus.choose(answer) } else { campus.dialog?.hide() }
        await campus.shows("New message")
        #expect(campus.section("message").contains("Half a thought"))
        #expect(campus.events == ["composer.cancel started", "composer.cancel \(end)"])
    }

    @Test(.rule("M12", "M17")) func `a composer without an observer performs its actions`() async {
        let navigator = ScreenNavigator.onMain(hasTransitions: false)
        let motherboard = Motherboard.onMain()
        motherboard.install(
            ComposerModule(navigator: navigator, loadContacts: { [] }, sendMessage: { _ in "1" })
        )
        motherboard.activate(Composer.id, with: "")
        await campus.until { navigator.top?.screen.isBusy == false }
        (navigator.top?.screen as? ComposerModel)?.cancel()
        await campus.until { navigator.top == nil }
    }

    @Test(.rule("M17")) func `a message without recipients is not sent, and nothing is reported`() async {
        await compose()
        campus.press("send", ["text": "Half a thought"])
        await campus.until { campus.section("message").contains("Choose at least one recipient.") }
        #expect(campus.events.isEmpty)
    }
}
