public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// The board of the composer's screen, which performs the screen's actions.
protocol ComposerDelegate: ComposerContext {
    /// Performs work on the screen's actor, and cancels it when the composer closes.
    func perform(_ work: @escaping () async -> Void)
}

/// A screen for writing a message.
@Observable
public final class ComposerScreen: Screen {
    /// The actions of the screen, which does not know the possible recipients or the server.
    public typealias Actions = (
        /// Asks for recipients, and returns the changed draft.
        addRecipient: Action<any ComposerContext, Draft, Draft>.Async,
        /// Sends a draft that has recipients and a text, and closes the composer.
        finish: Action<any ComposerContext, Draft, Void>.Async,
        /// Closes the composer, unless the writer decides to stay.
        cancel: Action<any ComposerContext, Draft, Void>.Async
    )

    struct Model: Sendable {
        let recipients: [String]
        let text: String
        let textLimit: Int
        let problem: String?
    }

    /// The title of the screen.
    public let title = "New message"
    /// The deep link of the screen, as a path.
    public let path = "/compose"
    private var draft = Draft()
    private var isOpening = true
    /// Whether an action is running; meanwhile the screen ignores events.
    private var isPerforming = false
    private var problem: String?
    private let actions: Actions
    @ObservationIgnored weak var delegate: (any ComposerDelegate)?

    init(actions: Actions) {
        self.actions = actions
    }

    /// Whether a draft is loading or an action is running.
    public var isBusy: Bool { isOpening || isPerforming }

    /// The message with its buttons.
    public var sections: [Section] {
        [
            Section(id: "message", template: "composer") {
                Model(
                    recipients: self.draft.recipients.map(\.name),
                    text: self.draft.text,
                    textLimit: NewMessage.textLimit,
                    problem: self.problem
                )
            }
        ]
    }

    /// Shows the draft that `load` returns, unless the writer has started to write.
    func open(_ load: () async throws -> Draft) async {
        do {
            let kept = try await load()
            if draft.isBlank, draft.recipients.isEmpty, !isPerforming { draft = kept }
        } catch {
            problem = DisplayError(explaining: error)?.message ?? "Your draft could not be opened."
        }
        isOpening = false
    }

    /// Performs the action of an event.
    public func handle(_ event: ScreenEvent) {
        guard !isPerforming else { return }
        // Each button sends the text along, so that no typed text is lost.
        draft.text = event["text"] ?? draft.text
        problem = nil
        switch event.name {
        case "add-recipients":
            perform { self.draft = try await self.actions.addRecipient($0, self.draft) }
        case "send":
            problem = missing
            if problem == nil { perform { try await self.actions.finish($0, self.draft) } }
        case "cancel":
            perform { try await self.actions.cancel($0, self.draft) }
        default: break
        }
    }

    private var missing: String? {
        if draft.recipients.isEmpty { return "Choose at least one recipient." }
        if draft.isBlank { return "Write a message." }
        return nil
    }

    private func perform(_ action: @escaping (any ComposerContext) async throws -> Void) {
        guard let delegate else { return }
        isPerforming = true
        delegate.perform {
            do {
                try await action(delegate)
            } catch is CancellationError {
                // The writer cancelled the action, so the message stays unchanged.
            } catch {
                self.problem = DisplayError(explaining: error)?.message ?? "This did not work. Try again."
            }
            self.isPerforming = false
        }
    }
}
