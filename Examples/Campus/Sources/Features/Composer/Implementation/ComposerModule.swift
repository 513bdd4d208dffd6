public import Backplane
import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
import ComposerInterface
public import ComposerModels
import DashboardInterface
public import Screens

/// The composer feature.
public struct ComposerModule: BoardModule {
    let navigator: ScreenNavigator
    let loadContacts: () async throws -> [Contact]
    let loadDraft: () async throws -> Draft
    let actions: ComposerModel.Actions

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screens.
    ///   - loadContacts: loads the possible recipients.
    ///   - loadDraft: loads the draft for a composer that opens without a text; an empty draft by
    ///     default.
    ///   - actions: the actions behind the buttons. The screen shows an error that an action throws
    ///     beside the text; the text of a `LocalizedError` is shown as it is.
    ///   - onAnalyticsEvent: receives an event whenever an action starts or ends.
    public init(
        navigator: ScreenNavigator,
        loadContacts: @escaping () async throws -> [Contact],
        loadDraft: @escaping () async throws -> Draft = { Draft() },
        actions: ComposerModel.Actions,
        onAnalyticsEvent: ((AnalyticsEvent) -> Void)? = nil
    ) {
        self.navigator = navigator
        self.loadContacts = loadContacts
        self.loadDraft = loadDraft
        self.actions = (
            addRecipient: Action.reported(actions.addRecipient, as: "composer.addRecipient", to: onAnalyticsEvent),
            finish: Action.reported(actions.finish, as: "composer.finish", to: onAnalyticsEvent),
            cancel: Action.reported(actions.cancel, as: "composer.cancel", to: onAnalyticsEvent)
        )
    }

    /// Creates the feature with actions that wait until the message is sent, and discard a message
    /// without a question.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screens.
    ///   - loadContacts: loads the possible recipients.
    ///   - sendMessage: sends a message. The screen shows an error that it throws beside the text;
    ///     the text of a `LocalizedError` is shown as it is.
    public init(
        navigator: ScreenNavigator,
        loadContacts: @escaping () async throws -> [Contact],
        sendMessage: @escaping (NewMessage) async throws -> Message.ID
    ) {
        self.init(
            navigator: navigator,
            loadContacts: loadContacts,
            actions: (
                addRecipient: { composer, draft in
                    draft.addressed(to: try await composer.chooseRecipients(insteadOf: draft.recipients))
                },
                finish: { composer, draft in composer.close(sent: try await sendMessage(draft.message)) },
                cancel: { composer, _ in composer.close() }
            )
        )
    }

    /// Registers the composer board, and adds it to the dashboard.
    public func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in ComposerBoard(slot: slot, module: self) }
        motherboard.contribute(to: .dashboardTiles, order: 10) {
            Tile("Write a message", path: "/compose", text: "To tutors and fellow students.")
        }
    }
}
