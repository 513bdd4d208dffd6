public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// What the composer's screen asks of its board: to be the place where actions are performed, and to perform them.
protocol ComposerDelegate: ComposerContext {
    /// Does work on the screen's actor, which ends when the composer closes.
    func perform(_ work: @escaping () async -> Void)
}

/// A message that is being written.
@Observable
public final class ComposerScreen: Screen {
    /// What can be done on the screen, which knows neither whom a message can be for nor where it goes.
    public typealias Actions = (
        /// Asks for recipients, and returns the draft as it is then.
        addRecipient: Action<any ComposerContext, Draft, Draft>.Async,
        /// Sends a draft that has recipients and a text, and closes the composer.
        finish: Action<any ComposerContext, Draft, Void>.Async,
        /// Closes the composer, unless the writer thinks better of it.
        cancel: Action<any ComposerContext, Draft, Void>.Async
    )

    struct Model: Sendable {
        let recipients: [String]
        let text: String
        let textLimit: Int
        let problem: String?
    }

    /// What the screen is called.
    public let title = "New message"
    /// Where the screen is found.
    public let path = "/compose"
    private var draft = Draft()
    private var isOpening = true
    /// Whether an action is being performed; until it has ended, nothing else is asked for.
    private var isPerforming = false
    private var problem: String?
    private let actions: Actions
    @ObservationIgnored weak var delegate: (any ComposerDelegate)?

    init(actions: Actions) {
        self.actions = actions
    }

    /// Whether a draft is being opened or an action performed.
    public var isBusy: Bool { isOpening || isPerforming }

    /// The message, with its buttons.
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

    /// Begins with the draft that `load` brings, unless the writer has begun already.
    func open(_ load: () async throws -> Draft) async {
        do {
            let kept = try await load()
            if draft.isBlank, draft.recipients.isEmpty, !isPerforming { draft = kept }
        } catch {
            problem = DisplayError(explaining: error)?.message ?? "What you wrote before could not be opened."
        }
        isOpening = false
    }

    /// Performs an action.
    public func handle(_ event: ScreenEvent) {
        guard !isPerforming else { return }
        // Whatever is pressed, what has been written comes along and is kept.
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
        if draft.recipients.isEmpty { return "Choose somebody to write to." }
        if draft.isBlank { return "Write something." }
        return nil
    }

    private func perform(_ action: @escaping (any ComposerContext) async throws -> Void) {
        guard let delegate else { return }
        isPerforming = true
        delegate.perform {
            do {
                try await action(delegate)
            } catch is CancellationError {
                // The writer has changed their mind: all stays as it was.
            } catch {
                self.problem = DisplayError(explaining: error)?.message ?? "This did not work. Try again."
            }
            self.isPerforming = false
        }
    }
}
