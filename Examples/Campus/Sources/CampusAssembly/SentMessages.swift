import BackplaneFeatures
import BackplaneStorage
import CampusAccounts
import CampusModels
import ComposerModels
import DashboardModels
import Foundation
import Observation
import Screens

/// A message on its way to the server, as its store sends it.
struct OutgoingMessage: RecordChange {
    /// The ID of the message in the list of messages, until the server assigns another one.
    ///
    /// Each attempt to send a draft needs a new one.
    let id: Message.ID
    /// The draft that was sent, to edit it if the server rejects it.
    let draft: Draft

    /// The message as it is shown before the server has it.
    var intent: Intent<Message> { .replace(Message(id: id, recipients: draft.recipients, text: draft.text)) }
}

/// The messages that the user has sent, is sending or could not send, shared by all screens.
///
/// A message is visible as soon as it is sent, with an ID of its own. When the server has it, the
/// message of the server replaces it. A message that the server rejects becomes a draft again.
@Observable
final class SentMessages {
    /// The user's messages, newest first, with those that are being sent.
    let messages: PagedLoader<Message.ID, Message>
    private let store: RecordStore<Message.ID, Message>
    /// The changes in the file of the outbox; `nil` if changes exist only in memory.
    private let saved: SavedChanges?
    /// The messages that were sent, with the times, if they exist only in memory.
    private var outgoing: [(message: OutgoingMessage, since: Timestamp)] = []
    /// The draft for the next composer.
    @ObservationIgnored private var reopened: Draft?

    /// Creates the messages of an account.
    ///
    /// - Parameters:
    ///   - account: loads the messages.
    ///   - sender: sends the messages.
    ///   - saved: the changes in the file of the outbox; `nil` if `sender` does not use one.
    ///   - clock: the clock that measures the delay before a message is sent again.
    init(
        account: any Account,
        sending sender: ChangeSender<Message.ID, Message>,
        saved: SavedChanges?,
        clock: any Clock<Duration>
    ) {
        self.saved = saved
        store = RecordStore(identity: \.id, clock: clock, sending: sender)
        // The recipients read the messages in the order in which the user sent them.
        messages = PagedLoader(store: store, insertsInOrder: true) { before in
            let page = try await account.messages(before: before)
            return Page(page.messages, next: page.next)
        }
    }

    /// Loads the messages again.
    func refresh() { store.refresh() }

    /// Discards everything that exists only in memory.
    func reset() {
        store.reset()
        outgoing = []
    }

    // MARK: Writing

    /// Prepares for writing a message, and returns the draft to edit; `nil` for an empty message.
    ///
    /// It also loads the sent messages, because a new message can be added only to a list that was
    /// told to load.
    func open(isolation: isolated (any Actor)? = #isolation) async -> Draft? {
        load(on: isolation)
        defer { reopened = nil }
        return reopened
    }

    /// Shows a message as pending, and returns when it is saved; it is then sent until it is
    /// settled.
    ///
    /// - Throws: a `DisplayError` if the message cannot be saved; it is not sent then.
    func send(_ draft: Draft, isolation: isolated (any Actor)? = #isolation) async throws {
        load(on: isolation)
        if try await saved?.hasChangeOfEvent() ?? false { return }
        if try await saved?.replaceMessage(by: draft) ?? false { return }
        discardRejected { $0.draft.id == draft.id }
        try await insert(draft)
    }

    private func insert(_ draft: Draft, isolation: isolated (any Actor)? = #isolation) async throws {
        // Two composers may send the same draft. Each message needs an ID of its own.
        let new = OutgoingMessage(id: .random(), draft: draft)
        if saved == nil { outgoing.append((message: new, since: Timestamp(Date()))) }
        let change = try messages.insert(new)
        do {
            try await messages.saved(change, of: new.id)
        } catch is FeatureError {
            messages.dismiss(change, of: new.id)
            throw DisplayError.unsavedChange
        }
    }

    private func load(on owner: (any Actor)?) {
        guard let owner else { preconditionFailure("Messages are used on the actor of their window, and on no other.") }
        if messages.state.value == nil { messages.load(on: owner) }
    }

    /// Discards the rejected messages with the contents of this draft.
    func discard(draft id: Draft.ID) async throws {
        try await saved?.discardMessages(of: id)
        discardRejected { $0.draft.id == id }
    }

    private func discardRejected(where isUnwanted: (OutgoingMessage) -> Bool) {
        for message in outgoing.map(\.message) where isUnwanted(message) {
            for failure in messages.pending(of: message.id) where failure.status == .failed {
                messages.dismiss(failure.id, of: message.id)
            }
        }
        // A message without a pending mutation is discarded, or the server has it.
        outgoing.removeAll { messages.pending(of: $0.message.id).isEmpty }
    }
}

extension SentMessages: DashboardOutbox {
    var changes: [PendingChange] { saved?.changes ?? outgoing.compactMap(change) }

    var moreChanges: Int { saved?.moreChanges ?? 0 }

    private func change(_ message: OutgoingMessage, since: Timestamp) -> PendingChange? {
        guard let pending = messages.pending(of: message.id).first else { return nil }
        let state = ChangeState(pending)
        return PendingChange(
            id: PendingChange.ID(rawValue: message.id.rawValue),
            text: message.draft.text,
            kind: "To \(message.draft.recipients.names)",
            since: since,
            state: state,
            // A store gives up only what has failed.
            actions: pending.status == .failed ? state.actions : state.actions.intersection([.tryNow])
        )
    }

    func tryNow() {
        if let saved { saved.tryNow() } else { messages.retryPending() }
    }

    func sendAgain(_ id: PendingChange.ID) async throws {
        try await saved?.sendAgain(id)
        guard let draft = draft(of: id) else { return }
        try await discard(id)
        try await insert(draft)
    }

    func edit(_ id: PendingChange.ID) {
        reopened = saved.map { $0.draft(of: id) } ?? draft(of: id)
    }

    func discard(_ id: PendingChange.ID) async throws {
        try await saved?.discard(id)
        discardRejected { $0.id.rawValue == id.rawValue }
    }

    /// Returns the contents of a message that exists only in memory.
    private func draft(of id: PendingChange.ID) -> Draft? {
        outgoing.first { $0.message.id.rawValue == id.rawValue }?.message.draft
    }
}
