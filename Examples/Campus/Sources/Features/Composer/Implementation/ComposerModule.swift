public import Backplane
public import CampusModels
import ComposerInterface
import DashboardInterface
public import Screens

/// The composer feature.
public struct ComposerModule: BoardModule {
    private let navigation: Navigation
    private let loadContacts: () async throws -> [Contact]
    private let loadDraft: () async throws -> Draft
    private let actions: ComposerScreen.Actions

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screens are shown.
    ///   - loadContacts: brings those who can be written to.
    ///   - loadDraft: brings what a new message begins with where nothing else is said; nothing unless stated.
    ///   - actions: what is done when a button is pressed; what they throw is shown beside the text, in the words of a
    ///     ``DisplayError`` if it is one.
    public init(
        navigation: Navigation,
        loadContacts: @escaping () async throws -> [Contact],
        loadDraft: @escaping () async throws -> Draft = { Draft() },
        actions: ComposerScreen.Actions
    ) {
        self.navigation = navigation
        self.loadContacts = loadContacts
        self.loadDraft = loadDraft
        self.actions = actions
    }

    /// The feature with actions that wait for the message to be sent, and do not ask before they give one up.
    ///
    /// - Parameters:
    ///   - navigation: where the screens are shown.
    ///   - loadContacts: brings those who can be written to.
    ///   - sendMessage: sends a message; what it throws is shown beside the text, in the words of a ``DisplayError`` if it is
    ///     one.
    public init(
        navigation: Navigation,
        loadContacts: @escaping () async throws -> [Contact],
        sendMessage: @escaping (NewMessage) async throws -> Message.ID
    ) {
        self.init(
            navigation: navigation,
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
        motherboard.register(.composer, reuse: .perActivation) { slot in
            ComposerBoard(
                slot: slot,
                navigation: navigation,
                loadContacts: loadContacts,
                loadDraft: loadDraft,
                actions: actions
            )
        }
        motherboard.contribute(to: .dashboardTiles, order: 10) {
            Tile("Write a message", path: "/compose", text: "To tutors and to those who study with you.")
        }
    }
}
