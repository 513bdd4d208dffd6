import CampusModels
import ComposerFeature
import Screens

extension CampusModules {
    var composer: ComposerModule {
        ComposerModule(
            navigation: navigation,
            loadContacts: { try await backend.contacts() },
            loadDraft: { await outbox.open() ?? Draft() },
            actions: (
                addRecipient: { composer, draft in
                    draft.addressed(to: try await composer.chooseRecipients(insteadOf: draft.recipients))
                },
                finish: { composer, draft in try await outbox.send(draft, from: composer) },
                cancel: { composer, draft in
                    // There is but one answer; who gives none keeps writing.
                    if !draft.isBlank { _ = try await composer.ask(.discard) }
                    outbox.discard(draft.id)
                    composer.close()
                }
            )
        )
    }
}
