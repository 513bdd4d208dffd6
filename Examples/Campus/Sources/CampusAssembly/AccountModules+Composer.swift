package import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusAccounts
import CampusModels
import ComposerFeature
import ComposerModels
import Screens

/// An action of the composer on the draft.
private typealias Writing<Output> = Action<any ComposerContext, Draft, Output>

extension AccountModules {
    /// The composer, whose actions use the account, the sent messages and the drafts.
    package var composer: some BoardModule {
        let (messages, drafts, report) = (messages, drafts, onAnalyticsEvent)
        return ComposerModule(
            navigator: navigator,
            loadContacts: account.contacts,
            loadDraft: {
                if let reopened = await messages.open() { return reopened }
                return try await drafts.latest() ?? Draft()
            },
            actions: (
                addRecipient: Writing<Draft>.reported(as: "composer.addRecipient", to: report) { composer, draft in
                    draft.addressed(to: try await composer.chooseRecipients(insteadOf: draft.recipients))
                },
                finish: Writing<Void>.reported(as: "composer.finish", to: report) { composer, draft in
                    await drafts.remove(draft.id)
                    try await messages.send(draft, from: composer)
                },
                cancel: Writing<Void>.reported(as: "composer.cancel", to: report) { composer, draft in
                    switch draft.isBlank ? .discard : try await composer.ask(.keepDraft) {
                    case .keep: try await drafts.save(draft)
                    case .discard: await drafts.remove(draft.id)
                    }
                    try await messages.discard(draft: draft.id)
                    composer.close()
                }
            )
        )
    }
}
