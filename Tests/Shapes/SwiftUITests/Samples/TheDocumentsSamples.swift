// The samples of Sources/BackplaneSwiftUI/BackplaneSwiftUI.docc/TheDocumentsSamples.md, with tests.

import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import Observation
import SwiftUI
import Testing

// MARK: - The course

enum SelfSufficientFeatures {
    struct Course {
        let name: String
    }

    struct CourseContentView: View {
        let course: Course

        var body: some View { Text(course.name) }
    }

    struct CourseView: View {
        let courseId: String
        @Kept private var loader: Loader<String, Course>

        init(courseId: String, loadCourse: @escaping (String) async throws -> Course) {
            self.courseId = courseId
            _loader = Kept { Loader(loadCourse) }
        }

        var body: some View {
            LoadView(loader.state, retry: loader.retry) { course in CourseContentView(course: course) }
                .task(id: courseId) { loader.load(courseId) }
        }
    }
}

// MARK: - The composer

struct Recipient: Equatable {
    let name: String
}

struct Message: Equatable {
    var recipients: [Recipient]
    var text = ""
}

struct Networking {
    let deliver: (Message) async throws -> Void
}

struct MessageSender {
    let networking: Networking

    func send(_ message: Message) async throws { try await networking.deliver(message) }
}

@MainActor @Observable final class ComposerModel {
    typealias Actions = (
        addRecipient: Action<ComposerModel, Message, Message>.Async,
        finish: Action<ComposerModel, Message, Void>.Async,
        cancel: Action<ComposerModel, Message, Void>.Async
    )

    var message: Message
    private(set) var problem: String?
    private let actions: Actions

    var recipients: String { message.recipients.map(\.name).joined(separator: ", ") }

    init(recipients: [Recipient], actions: Actions) {
        message = Message(recipients: recipients)
        self.actions = actions
    }

    func addRecipient() async throws { message = try await actions.addRecipient(self, message) }

    func finish() async throws { try await actions.finish(self, message) }

    func cancel() async throws { try await actions.cancel(self, message) }

    func show(_ error: any Error) { problem = "This did not work. Try again." }
}

struct ComposerView: View {
    @Bindable var composer: ComposerModel

    var body: some View {
        VStack {
            Text("To \(composer.recipients)")
            TextField("Message", text: $composer.message.text)
            ActionButton("Add recipient", action: composer.addRecipient, onError: composer.show)
            ActionButton("Send", action: composer.finish, onError: composer.show)
            ActionButton("Cancel", action: composer.cancel, onError: composer.show)
            if let problem = composer.problem { Text(problem) }
        }
        .interactiveDismissDisabled(!composer.message.text.isEmpty)
    }
}

enum MailScreen {
    case inbox
    case composer(ComposerModel)
}

enum MessageComposer: BoardContract {
    typealias Input = [Recipient]
}

enum RecipientPicker: BoardContract {
    typealias Output = Recipient
}

extension Dialog<Void> {
    static var discardMessage: Self {
        Dialog("Discard the message?", choices: [.init("Discard", (), role: .destructive)], cancel: "Keep editing")
    }
}

@MainActor struct ComposerBoard: Board {
    let slot: Slot<MessageComposer>
    let navigator: Navigator<MailScreen>
    let networking: Networking

    func activate(with recipients: [Recipient]) {
        let composer = ComposerModel(
            recipients: recipients,
            actions: (
                addRecipient: { _, message in
                    var message = message
                    message.recipients.append(try await inner.result(of: RecipientPicker.id))
                    return message
                },
                finish: { _, message in
                    try await MessageSender(networking: networking).send(message)
                    complete()
                },
                cancel: { _, message in
                    if !message.text.isEmpty { try await navigator.ask(.discardMessage) }
                    complete(.cancelled)
                }
            )
        )
        pair(with: navigator.present(.composer(composer)))
    }
}

// MARK: - Tests

@Suite(.timeLimit(.minutes(5))) @MainActor struct CourseSampleTests {
    private typealias Course = SelfSufficientFeatures.Course

    @Test func `a course loads itself, fails and is loaded again`() async {
        struct Failure: Error {}
        var loads = 0
        let host = ShapeHost {
            SelfSufficientFeatures.CourseView(courseId: "abc123") { id in
                loads += 1
                if loads == 1 { throw Failure() }
                return Course(name: "Course \(id)")
            }
        }
        #expect(host.texts.isEmpty)
        await host.show(["Not loaded", "Try again"])
        host.tap("Try again")
        await host.show(["Course abc123"])
        #expect(loads == 2)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ComposerSampleTests {
    @MainActor private final class Mail {
        let navigator = Navigator<MailScreen>.onMain(clock: ManualClock())
        let motherboard = Motherboard.onMain()
        var sent: [Message] = []
        var failure: (any Error)?

        func send(_ message: Message) async throws {
            if let failure { throw failure }
            sent.append(message)
        }
    }

    private static let composer = ["Inbox", "To Ada", "Add recipient", "Send", "Cancel"]
    private let mail: Mail
    private let host: ShapeHost

    init() {
        let mail = Mail()
        mail.motherboard.register { slot in
            ComposerBoard(slot: slot, navigator: mail.navigator, networking: Networking(deliver: mail.send))
        }
        TestMotherboard(observing: mail.motherboard, exhaustive: false).stub(RecipientPicker.id) { _, slot in
            slot.complete(sending: Recipient(name: "Grace"))
        }
        mail.navigator.setRoot(.inbox)
        host = ShapeHost {
            NavigatorView(mail.navigator) { screen in
                switch screen {
                case .inbox: Text("Inbox")
                case .composer(let model): ComposerView(composer: model)
                }
            }
        }
        mail.motherboard.activate(MessageComposer.id, with: [Recipient(name: "Ada")])
        self.mail = mail
    }

    @Test func `a message is sent to the added recipient, and the composer leaves`() async {
        await host.show(Self.composer)
        host.tap("Add recipient")
        await host.show(["Inbox", "To Ada, Grace", "Add recipient", "Send", "Cancel"])
        host.type("Hi", into: "Message")
        host.tap("Send")
        await host.show(["Inbox"])
        #expect(mail.sent == [Message(recipients: [Recipient(name: "Ada"), Recipient(name: "Grace")], text: "Hi")])
        #expect(host.problems.isEmpty)
    }

    @Test func `a message that is not sent stays`() async {
        await host.show(Self.composer)
        mail.failure = URLError(.notConnectedToInternet)
        host.tap("Send")
        await host.show(Self.composer + ["This did not work. Try again."])
        #expect(mail.motherboard.isLive(MessageComposer.id))
    }

    @Test func `an empty message is cancelled without a question`() async {
        await host.show(Self.composer)
        host.tap("Cancel")
        await host.show(["Inbox"])
        #expect(!mail.motherboard.isLive(MessageComposer.id))
    }

    @Test func `the user can pull down a sheet only if its message is empty`() async {
        await host.show(Self.composer)
        host.type("Hi", into: "Message")
        host.closePresentation()
        #expect(host.presentations == ["sheet"])
        #expect(mail.motherboard.isLive(MessageComposer.id))
        host.type("", into: "Message")
        host.closePresentation()
        await host.show(["Inbox"])
        #expect(!mail.motherboard.isLive(MessageComposer.id))
    }

    @Test func `the user is asked before a message is discarded`() async {
        await host.show(Self.composer)
        host.type("Hi", into: "Message")
        host.tap("Cancel")
        await host.update { $0.presentations == ["sheet", "alert"] }
        host.tap("Keep editing")
        await host.update { $0.texts == Self.composer && $0.isEnabled("Cancel") == true }
        host.tap("Cancel")
        await host.update { $0.presentations == ["sheet", "alert"] }
        host.tap("Discard")
        await host.show(["Inbox"])
        #expect(mail.sent.isEmpty)
        #expect(!mail.motherboard.isLive(MessageComposer.id))
    }
}
