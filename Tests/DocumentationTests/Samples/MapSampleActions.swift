// The samples of Documentation/Map.md about extracted actions, with tests.

import BackplaneFeatures
import BackplaneNavigation
import BackplaneTesting
import Observation
import Testing

struct Product: Identifiable, Equatable {
    let id: String
}

@MainActor final class ProductScreen {
    private(set) var product: Product?
    let actions: Actions

    init(actions: Actions) {
        self.actions = actions
    }

    func open(_ id: Product.ID) async throws { product = try await actions.load(self, id) }
}

extension ProductScreen {
    typealias Actions = (
        load: Action<ProductScreen, Product.ID, Product>.Async,
        purchase: Action<ProductScreen, Product.ID, Void>.Async,
        favorite: Action<ProductScreen, Product.ID, Void>.Sync,
        share: Action<ProductScreen, Product, Void>.Sync
    )
}

extension Dialog<Bool> {
    static var saveDraft: Self {
        Dialog("Save a draft?", choices: [.init("Save", true), .init("Delete", false, role: .destructive)])
    }
}

enum ExtractedActions {
    struct Recipient: Equatable {
        let name: String
    }

    struct Message: Equatable {
        var recipients: [Recipient]
        var text = ""
    }

    @MainActor @Observable final class MessageComposer {
        typealias Actions = (
            addRecipient: Action<MessageComposer, Message, Message>.Async,
            finish: Action<MessageComposer, Message, Void>.Async,
            cancel: Action<MessageComposer, Message, Void>.Async
        )

        var message: Message
        let performer = ActionPerformer()
        private let actions: Actions

        init(recipients: [Recipient], actions: Actions) {
            message = Message(recipients: recipients)
            self.actions = actions
        }

        func handleAddRecipientButtonTap() {
            performer.perform { self.message = try await self.actions.addRecipient(self, self.message) }
        }

        func handleCancelButtonTap() {
            performer.perform { try await self.actions.cancel(self, self.message) }
        }

        func handleSendButtonTap() {
            performer.perform { try await self.actions.finish(self, self.message) }
        }
    }

    @MainActor final class DraftManager {
        private(set) var drafts: [Message] = []

        func saveDraft(_ message: Message) { drafts.append(message) }
    }

    enum Screen {
        case inbox
        case composer(MessageComposer)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct MapSampleActions {
    private typealias Message = ExtractedActions.Message
    private typealias Recipient = ExtractedActions.Recipient
    private typealias MessageComposer = ExtractedActions.MessageComposer

    private struct SendFailure: Error {}

    private let navigator = Navigator<ExtractedActions.Screen>.onMain(hasTransitions: false)
    private let draftManager = ExtractedActions.DraftManager()
    private let actions: MessageComposer.Actions = (
        addRecipient: { _, message in
            Message(recipients: message.recipients + [Recipient(name: "Grace")], text: message.text)
        },
        finish: { _, _ in throw SendFailure() },
        cancel: { _, _ in }
    )

    /// Presents a composer that saves drafts; only the action `cancel` differs.
    private func presentComposer() -> MessageComposer {
        let (recipients, navigator, draftManager) = ([Recipient(name: "Ada")], self.navigator, self.draftManager)
        var actions = self.actions
        actions.cancel = { _, message in
            if !message.text.isEmpty, try await navigator.ask(.saveDraft) {
                draftManager.saveDraft(message)
            }
            navigator.top?.dismiss()
        }
        let composer = MessageComposer(recipients: recipients, actions: actions)
        navigator.setRoot(.inbox)
        navigator.present(.composer(composer))
        return composer
    }

    @Test func `a composer performs the actions that it receives`() async {
        let composer = MessageComposer(recipients: [Recipient(name: "Ada")], actions: actions)
        composer.handleAddRecipientButtonTap()
        #expect(composer.performer.isPerforming)
        await waitUntil { !composer.performer.isPerforming }
        #expect(composer.message.recipients.map(\.name) == ["Ada", "Grace"])
        composer.handleSendButtonTap()
        await waitUntil { !composer.performer.isPerforming }
        #expect(composer.performer.error is SendFailure)
    }

    @Test(arguments: [(0, 1), (1, 0)])
    func `the user is asked about a draft, and the composer leaves`(choice: Int, drafts: Int) async {
        let composer = presentComposer()
        composer.message.text = "Hi"
        composer.handleCancelButtonTap()
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.choose(choice)
        await waitUntil { !composer.performer.isPerforming }
        #expect(draftManager.drafts.count == drafts)
        #expect(navigator.layers.count == 1)
    }

    @Test func `a composer stays when the question is cancelled`() async {
        let composer = presentComposer()
        composer.message.text = "Hi"
        composer.handleCancelButtonTap()
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.hide()
        await waitUntil { !composer.performer.isPerforming }
        #expect(composer.performer.error == nil)
        #expect(draftManager.drafts.isEmpty)
        #expect(navigator.layers.count == 2)
    }

    @Test func `an empty message is cancelled without a question`() async {
        let composer = presentComposer()
        composer.handleCancelButtonTap()
        await waitUntil { !composer.performer.isPerforming }
        #expect(navigator.layers.count == 1)
        #expect(draftManager.drafts.isEmpty)
    }

    @Test func `a product screen performs its four actions`() async throws {
        var performed: [String] = []
        let screen = ProductScreen(
            actions: (
                load: { _, id in Product(id: id) },
                purchase: { _, id in performed.append("purchase \(id)") },
                favorite: { _, id in performed.append("favorite \(id)") },
                share: { _, product in performed.append("share \(product.id)") }
            )
        )
        try await screen.open("tea")
        let product = try #require(screen.product)
        try await screen.actions.purchase(screen, product.id)
        screen.actions.favorite(screen, product.id)
        screen.actions.share(screen, product)
        #expect(performed == ["purchase tea", "favorite tea", "share tea"])
    }
}
