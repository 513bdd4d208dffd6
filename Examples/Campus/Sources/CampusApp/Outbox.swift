import BackplaneFeatures
import CampusAccounts
import CampusModels
import ComposerModels
import DashboardModels
import Screens

/// The messages that the user has sent, is sending or could not send, shared by all screens.
///
/// A message is visible as soon as it is sent, with an ID of its own. When the server has it, the
/// message of the server replaces it. A message that the server rejects becomes a draft again.
final class Outbox: DashboardOutbox {
    let messages: RecordStore<Sole, [Message]>
    private let account: any Account
    private let loader: Loader<Sole, [Message]>
    private let unsent = UnsentDrafts()
    /// The draft for the next composer.
    private var reopened: Draft?

    init(account: any Account, clock: any Clock<Duration>) {
        self.account = account
        messages = RecordStore(isRejection: DisplayError.isRejection, clock: clock)
        loader = Loader(store: messages) { _ in try await account.messages() }
    }

    // MARK: Writing

    /// Prepares for writing a message, and returns the draft to edit; `nil` for an empty message.
    ///
    /// It also loads the sent messages, because a new message can be added only to a loaded list.
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
        discard(draft.id)
        unsent.drafts[draft.id] = draft
        // The closures do not capture the outbox, because its records keep a message without a
        // response.
        let (account, unsent) = (account, unsent)
        let mutation = Mutation<[Message]>(label: draft.id.rawValue) { messages in
            messages.insert(Message(draft), at: 0)
        } send: { key in
            let sent = try await account.send(draft.message, key: key)
            unsent.drafts[draft.id] = nil
            return sent
        } merging: { sent, messages in
            messages.insert(sent, at: 0)
        }
        // Closing the composer cancels its task. That ends the wait for the server, but not the
        // mutation.
        composer.close(sent: draft.id)
        try await loader.mutate(mutation)
    }

    private func load(on owner: (any Actor)?) {
        guard let owner else { preconditionFailure("An outbox is used on the actor of its window, and on no other.") }
        if loader.value == nil { loader.load(.sole, on: owner) }
    }

    // MARK: Rejected messages

    func draft(_ id: Message.ID) -> Draft? { unsent.drafts[id] }

    func edit(_ id: Message.ID) {
        reopened = unsent.drafts[id]
    }

    func discard(_ id: Message.ID) {
        for mutation in loader.pending where mutation.status == .failed && mutation.label == id.rawValue {
            loader.dismiss(mutation.id)
            unsent.drafts[id] = nil
        }
    }
}

/// The drafts of messages that are not sent yet.
///
/// A draft is removed when the server has the message or the user discards it.
private final class UnsentDrafts {
    var drafts: [Message.ID: Draft] = [:]
}

extension Message {
    /// Creates a message as it is shown before the server has it.
    fileprivate init(_ draft: Draft) {
        self.init(id: draft.id, recipients: draft.recipients, text: draft.text)
    }
}
