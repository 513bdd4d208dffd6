package import Backplane
import BackplaneNavigation
import CampusAccounts
import CampusModels
import ComposerFeature
import ComposerModels
import Screens

extension AccountModules {
    /// The composer, whose actions use the account, the sent messages and the drafts.
    package var composer: some BoardModule {
        let (messages, drafts) = (messages, drafts)
        return ComposerModule(
            navigator: navigator,
            loadContacts: account.contacts,
            loadDraft: {
                if let reopened = await messages.open() { return reopened }
                return try await drafts.latest() ?? Draft()
            },
            actions: (
                addRecipient: { composer, draft in
                    draft.addressed(to: try await composer.chooseRecipients(insteadOf: draft.recipients))
                },
                finish: { composer, draft in
                    try await messages.send(draft)
                    // Only now: if the message cannot be saved, the draft is all that is left of
                    // it.
                    await drafts.remove(draft.id)
                    composer.close(sent: draft.id)
                },
                cancel: { composer, draft in
                    switch draft.isBlank ? .rejected : try await composer.ask(.keepDraft) {
                    case .accepted: try await drafts.save(draft)
                    case .rejected: await drafts.remove(draft.id)
                    case .cancelled: return
                    }
                    try await messages.discard(draft: draft.id)
                    composer.close()
                }
            ),
            onAnalyticsEvent: onAnalyticsEvent
        )
    }
}
