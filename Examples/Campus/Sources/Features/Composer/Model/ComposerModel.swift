public import BackplaneFeatures
public import CampusModels
public import Observation
public import Screens

/// A message that the user writes.
@Observable
public final class ComposerModel: EventScreen {
    /// The actions of the composer, which does not know the possible recipients or the server.
    public typealias Actions = (
        /// Asks for recipients, and returns the changed draft.
        addRecipient: Action<any ComposerContext, Draft, Draft>.Async,
        /// Sends a draft that has recipients and a text, and closes the composer.
        finish: Action<any ComposerContext, Draft, Void>.Async,
        /// Closes the composer, unless the writer decides to stay.
        cancel: Action<any ComposerContext, Draft, Void>.Async
    )

    /// The reason why a draft was not opened, or why an action was not performed or did not work.
    public enum Problem: Sendable {
        /// The kept draft could not be opened.
        case unopenedDraft(any Error)
        /// The message has no recipients, so it cannot be sent.
        case missingRecipients
        /// The message has no text, so it cannot be sent.
        case missingText
        /// The last action threw this error.
        case failedAction(any Error)

        /// The problem as a text for the user.
        public var message: String {
            switch self {
            case .unopenedDraft(let error): DisplayError.message(of: error, else: "Your draft could not be opened.")
            case .missingRecipients: "Choose at least one recipient."
            case .missingText: "Write a message."
            case .failedAction(let error): DisplayError.message(of: error, else: "This did not work. Try again.")
            }
        }
    }

    /// The deep link of the composer, as a path.
    public let path = "/compose"
    /// The message as it is now.
    public private(set) var draft = Draft()
    /// The problem to show; `nil` if there is none.
    public private(set) var problem: Problem?
    private var isOpening = true
    private let actions: Actions
    /// The performer of the actions; while one runs, the composer ignores the writer.
    private let performer: ActionPerformer
    /// The context of the actions; without it no action is performed.
    @ObservationIgnored public weak var context: (any ComposerContext)?

    /// Creates an empty message, which waits for its draft.
    public init(actions: Actions, performer: ActionPerformer) {
        self.actions = actions
        self.performer = performer
    }

    private var isPerforming: Bool { performer.isPerforming }

    /// Whether a draft is loading or an action is running.
    public var isBusy: Bool { isOpening || isPerforming }

    /// Shows the draft that `load` returns, unless the writer has started to write.
    public func open(_ load: () async throws -> Draft) async {
        do {
            let kept = try await load()
            if draft.isBlank, draft.recipients.isEmpty, !isPerforming { draft = kept }
        } catch {
            problem = .unopenedDraft(error)
        }
        isOpening = false
    }

    /// Replaces the text, unless an action is running.
    public func write(_ text: String) {
        if !isPerforming { draft.text = text }
    }

    /// The text of the message, for a face that binds it to a field.
    public var text: String {
        get { draft.text }
        set { write(newValue) }
    }

    /// Asks for other recipients, unless an action is running.
    public func addRecipients() {
        perform { self.draft = try await self.actions.addRecipient($0, self.draft) }
    }

    /// Sends the message, unless an action is running or the message is incomplete.
    public func send() {
        perform(unless: missing, isChange: true) {
            defer { EventEffects.current?.end() }
            try await self.actions.finish($0, self.draft)
        }
    }

    /// Leaves the message, unless an action is running.
    public func cancel() {
        perform { try await self.actions.cancel($0, self.draft) }
    }

    private var missing: Problem? {
        if draft.recipients.isEmpty { return .missingRecipients }
        if draft.isBlank { return .missingText }
        return nil
    }

    private func perform(
        unless missing: Problem? = nil,
        isChange: Bool = false,
        _ action: @escaping (any ComposerContext) async throws -> Void
    ) {
        guard !isPerforming else { return }
        problem = missing
        guard missing == nil, let context else { return }
        if isChange { EventEffects.current?.begin() }
        performer.perform({ try await action(context) }, onError: { self.problem = .failedAction($0) })
    }
}

extension ComposerModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Asks for other recipients.
        case addRecipients = "add-recipients"
        /// Sends the message.
        case send
        /// Leaves the message.
        case cancel
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        // Each button sends the text along, so that no typed text is lost.
        if let text = fields["text"] { write(text) }
        switch event {
        case .addRecipients: addRecipients()
        case .send: send()
        case .cancel: cancel()
        }
    }
}
