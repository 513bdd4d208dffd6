public import Backplane
public import CampusModels
import ComposerInterface
public import Screens

/// The composer feature.
public struct ComposerModule: BoardModule {
    private let navigation: Navigation
    private let loadContacts: () async throws -> [Contact]
    private let sendMessage: (NewMessage) async throws -> Message.ID

    /// The feature.
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
        self.navigation = navigation
        self.loadContacts = loadContacts
        self.sendMessage = sendMessage
    }

    /// Registers the composer board and its links.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.composer, reuse: .perActivation) { slot in
            ComposerBoard(slot: slot, navigation: navigation, loadContacts: loadContacts, sendMessage: sendMessage)
        }
        motherboard.registerLink("compose", to: .composer)
        // The picker is a step of the flow: who comes to its address by another way begins at the beginning.
        motherboard.registerLink("compose/recipients", to: .composer)
    }
}
