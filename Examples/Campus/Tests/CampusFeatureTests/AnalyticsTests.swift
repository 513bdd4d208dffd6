import Backplane
import CampusModels
import CampusTestTools
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

    @Test(.rule("M17")) func `an action that the user cancels is reported as dismissed`() async {
        await compose()
        campus.press("cancel", ["text": "Half a thought"])
        await campus.shows("Keep the message as a draft?")
        campus.choose("Keep editing")
        await campus.shows("New message")
        #expect(campus.events == ["composer.cancel started", "composer.cancel dismissed"])
    }

    @Test(.rule("M17")) func `a message without recipients is not sent, and nothing is reported`() async {
        await compose()
        campus.press("send", ["text": "Half a thought"])
        await campus.until { campus.section("message").contains("Choose at least one recipient.") }
        #expect(campus.events.isEmpty)
    }
}
