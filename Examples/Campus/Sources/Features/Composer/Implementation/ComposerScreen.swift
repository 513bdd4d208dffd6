import CampusModels
import Observation
import Screens

/// What the composer's screen tells its board.
protocol ComposerDelegate: AnyObject {
    /// The writer wants to choose recipients.
    func addRecipients()
    /// The writer wants this to be sent; it has recipients and a text.
    func finish(_ message: NewMessage)
    /// The writer gives up.
    func cancel()
}

/// A message that is being written.
@Observable
final class ComposerScreen: Screen {
    struct Model: Sendable {
        let recipients: [String]
        let text: String
        let textLimit: Int
        let problem: String?
    }

    let title = "New message"
    let path = "/compose"
    /// Whether the board is at work; until it has answered, nothing else is asked of it.
    private(set) var isBusy = false
    private(set) var recipients: [Contact] = []
    private var text = ""
    private var problem: String?
    @ObservationIgnored weak var delegate: (any ComposerDelegate)?

    var sections: [Section] {
        [
            Section(id: "message", template: "composer") {
                Model(
                    recipients: self.recipients.map(\.name),
                    text: self.text,
                    textLimit: NewMessage.textLimit,
                    problem: self.problem
                )
            }
        ]
    }

    func handle(_ event: ScreenEvent) {
        guard !isBusy else { return }
        // Whatever is pressed, what has been written comes along and is kept.
        text = event["text"] ?? text
        problem = nil
        switch event.name {
        case "add-recipients":
            isBusy = true
            delegate?.addRecipients()
        case "send":
            problem = missing
            guard problem == nil else { return }
            isBusy = true
            delegate?.finish(NewMessage(recipients: recipients.map(\.id), text: text))
        case "cancel":
            delegate?.cancel()
        default: break
        }
    }

    private var missing: String? {
        if recipients.isEmpty { return "Choose somebody to write to." }
        if text.allSatisfy(\.isWhitespace) { return "Write something." }
        return nil
    }

    func choose(_ recipients: [Contact]) {
        self.recipients = recipients
        isBusy = false
    }

    func show(_ error: any Error) {
        problem = (error as? DisplayError)?.message ?? "The message could not be sent. Try again."
        isBusy = false
    }
}
