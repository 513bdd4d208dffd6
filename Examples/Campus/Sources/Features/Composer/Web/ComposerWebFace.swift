import CampusModels
public import ComposerModels
import DashboardInterface
import Screens
public import WebHost

/// The composer in a browser.
public struct ComposerWebFace: WebFace {
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
}
