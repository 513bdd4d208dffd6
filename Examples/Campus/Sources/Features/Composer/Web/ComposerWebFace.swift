import CampusModels
public import ComposerModels
import DashboardInterface
public import Screens
public import WebHost

/// The composer in a browser.
public struct ComposerWebFace: WebFace {
    /// The events of the composer's form, which all send the field `text` along.
    public enum Event: String, CaseIterable {
        case addRecipients = "add-recipients"
        case send
        case cancel
    }

    struct Form: Sendable {
        let recipients: [String]
        let text: String
        let textLimit: Int
        let problem: String?
    }

    /// The template of the message.
    public let templates = ["composer": WebTemplate(PackageResources.composer_mustache)]

    /// Creates the face.
    public init() {}

    /// The title of the composer.
    public func title(of composer: ComposerModel) -> String { "New message" }

    /// The way back, and the message with its buttons.
    public func sections(of composer: ComposerModel) -> [Section] {
        [
            .breadcrumb(BarEntry("Dashboard", path: Dashboard.path)) { title(of: composer) },
            Section(id: "message", template: "composer") {
                Form(
                    recipients: composer.draft.recipients.map(\.name),
                    text: composer.draft.text,
                    textLimit: NewMessage.textLimit,
                    problem: composer.problem?.message
                )
            },
        ]
    }

    /// Keeps the text of the form, and performs the action of the button.
    public func handle(_ event: Event, _ form: EventFields, on composer: ComposerModel) {
        // Each button sends the text along, so that no typed text is lost.
        if let text = form["text"] { composer.write(text) }
        switch event {
        case .addRecipients: composer.addRecipients()
        case .send: composer.send()
        case .cancel: composer.cancel()
        }
    }
}
