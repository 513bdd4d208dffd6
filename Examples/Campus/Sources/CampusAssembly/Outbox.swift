import BackplaneFeatures
import CampusAccounts
import CampusModels
import ComposerModels
import DashboardModels
import Observation
import Screens

/// The messages that the user has sent, is sending or could not send, shared by all screens.
///
/// A message is visible as soon as it is sent, with an ID of its own. When the server has it, the
/// message of the server replaces it. A message that the server rejects becomes a draft again.
@Observable
final class Outbox: DashboardOutbox {
    /// The user's messages, newest first, with those that are being sent.
    let messages: PagedLoader<Message.ID, Message>
    private(set) var outgoing: [OutgoingMessage] = []
    private let account: any Account
    private let onSent: @Sendable () async -> Void
    private let store: RecordStore<Message.ID, Message>
    /// The draft for the next composer.
    @ObservationIgnored private var reopened: Draft?

    /// Creates an outbox.
    ///
    /// - Parameters:
    ///   - account: sends and loads the messages.
    ///   - clock: the clock that measures the delay before a message is sent again.
    ///   - onSent: called after the server has confirmed a message.
    init(account: any Account, clock: any Clock<Duration>, onSent: @escaping @Sendable () async -> Void) {
        self.account = account
        self.onSent = onSent
        store = RecordStore(identity: \.id, clock: clock)
        // The recipients read the messages in the order in which the user sent them.
        messages = PagedLoader(store: store, insertsInOrder: true) { before in
            let page = try await account.messages(before: before)
            return Page(page.messages, next: page.next)
        }
    }

    /// Loads the messages again.
    func refresh() { store.refresh() }

    /// Discards everything, also the messages that the server has not confirmed.
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

    /// Shows a message as pending, closes the composer, and sends the message until it is settled.
    func send(
        _ draft: Draft,
        from composer: any ComposerContext,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        load(on: isolation)
        discard(draft: draft.id)
        // Two composers may send the same draft. Each message needs an ID of its own.
        let new = OutgoingMessage(draft: draft)
        outgoing.append(new)
        // Closing the composer cancels its task. That ends the wait for the server, but not the
        // mutation.
        composer.close(sent: draft.id)
        // The closure does not capture the outbox, because its records keep a message without a
        // response.
        let (account, onSent) = (account, onSent)
        try await messages.insert(new.message) { key in
            let sent = try await account.send(draft.message, key: key)
            await onSent()
            return sent
        } confirming: { sent in
            sent
        }
    }

    private func load(on owner: (any Actor)?) {
        guard let owner else { preconditionFailure("An outbox is used on the actor of its window, and on no other.") }
        if messages.state.value == nil { messages.load(on: owner) }
    }

    // MARK: Rejected messages

    func edit(_ id: Message.ID) {
        reopened = outgoing.first { $0.id == id }?.draft
    }

    func discard(_ id: Message.ID) {
        discard { $0.id == id }
    }

    /// Discards the rejected messages with the contents of this draft.
    func discard(draft id: Draft.ID) {
        discard { $0.draft.id == id }
    }

    private func discard(where isUnwanted: (OutgoingMessage) -> Bool) {
        for message in outgoing where isUnwanted(message) {
            for failure in messages.pending(of: message.id) where failure.status == .failed {
                messages.dismiss(failure.id, of: message.id)
            }
        }
        // A message without a pending mutation is discarded, or the server has it.
        outgoing.removeAll { messages.pending(of: $0.id).isEmpty }
    }
}
