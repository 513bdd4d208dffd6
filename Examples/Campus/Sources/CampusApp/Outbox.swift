import BackplaneFeatures
import CampusAccounts
import CampusModels
import ComposerFeature
import DashboardFeature
import Screens

/// The messages that the user has sent, is sending, and could not send: one place for all its screens.
///
/// A message shows from the moment it is sent, under an identity of its own; once the server has it, the server's takes its
/// place. One that the server refuses is what it was before: a draft.
final class Outbox: DashboardOutbox {
    let messages: RecordStore<Sole, [Message]>
    private let account: any Account
    private let loader: Loader<Sole, [Message]>
    private let unsent = UnsentDrafts()
    /// What the next composer begins with.
    private var reopened: Draft?

    init(account: any Account, clock: any Clock<Duration>) {
        self.account = account
        messages = RecordStore(isRejection: DisplayError.isRejection, clock: clock)
        loader = Loader(store: messages) { _ in try await account.messages() }
    }

    // MARK: Writing

    /// Prepares for a message to be written; returns what it is to begin with, if that is something.
    ///
    /// What was sent before is loaded meanwhile: only what is known can be added to.
    func open(isolation: isolated (any Actor)? = #isolation) async -> Draft? {
        load(on: isolation)
        defer { reopened = nil }
        return reopened
    }

    /// Shows a message as being sent, closes the composer, and sends it until the server has said yes or no.
    func send(
        _ draft: Draft,
        from composer: any ComposerContext,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        load(on: isolation)
        discard(draft.id)
        unsent.drafts[draft.id] = draft
        // Without the outbox, whose records keep a message that has no response.
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
        // With the composer its task is cancelled, which ends the wait for the server, and not what is waited for.
        composer.close(sent: draft.id)
        try await loader.mutate(mutation)
    }

    private func load(on owner: (any Actor)?) {
        guard let owner else { preconditionFailure("An outbox is used on the actor of its window, and on no other.") }
        if loader.value == nil { loader.load(.sole, on: owner) }
    }

    // MARK: What was refused

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

/// The drafts that have been sent to no avail so far; each goes when the server has it or the user discards it.
private final class UnsentDrafts {
    var drafts: [Message.ID: Draft] = [:]
}

extension Message {
    /// A message as it shows before the server has it.
    fileprivate init(_ draft: Draft) {
        self.init(id: draft.id, recipients: draft.recipients, text: draft.text)
    }
}
