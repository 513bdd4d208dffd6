// The view of Sources/BackplaneRemote/BackplaneRemote.docc/FromServerToScreen.md, with tests. The
// rest of that page is in Tests/DocumentationTests. Here are the parts of it that the view reads.

import BackplaneFeatures
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import Observation
import SwiftUI
import Testing

struct Meeting: Codable, Identifiable, Sendable {
    let id: String
    let book: String
    var hasSeat: Bool
}

// Sources/Club/MeetingModel.swift

@MainActor final class MeetingModel {
    private let id: Meeting.ID
    private let meeting: Loader<Meeting.ID, Meeting>
    private let sendSeat: (Meeting.ID) -> (IdempotencyKey) async throws -> Meeting

    init(
        id: Meeting.ID,
        meeting: Loader<Meeting.ID, Meeting>,
        sendSeat: @escaping (Meeting.ID) -> (IdempotencyKey) async throws -> Meeting
    ) {
        self.id = id
        self.meeting = meeting
        self.sendSeat = sendSeat
        meeting.load(id)
    }

    var state: LoadState<Meeting> { meeting.state }

    var isReserving: Bool { meeting.pending.contains { $0.status != .failed } }

    var refusal: String? { failure.map { $0.error?.reason ?? "You have no seat. Try again." } }

    private var failure: PendingMutation? { meeting.pending.first { $0.status == .failed } }

    func retry() { meeting.retry() }

    func takeSeat() {
        // This throws only before `load`.
        try? meeting.enqueue(Mutation(.set(\.hasSeat, to: true), send: sendSeat(id), confirming: { $0 }))
    }

    func dismissRefusal() {
        if let failure { meeting.dismiss(failure.id) }
    }
}

// Sources/Club/QuestionModel.swift

@MainActor @Observable final class QuestionModel {
    typealias Actions = (
        send: Action<QuestionModel, String, Void>.Async,
        cancel: Action<QuestionModel, String, Void>.Async
    )

    let meeting: Meeting.ID
    var text: String
    private(set) var isOpen = true
    private let performer = ActionPerformer()
    private let actions: Actions

    init(meeting: Meeting.ID, text: String = "", actions: Actions) {
        self.meeting = meeting
        self.text = text
        self.actions = actions
    }

    var isBusy: Bool { performer.isPerforming }

    var problem: String? { performer.error?.localizedDescription }

    func sendPressed() {
        performer.perform(for: self) { model in try await model.actions.send(model, model.text) }
    }

    func cancelPressed() {
        performer.perform(for: self) { model in try await model.actions.cancel(model, model.text) }
    }

    func close() { isOpen = false }
}

// Sources/Club/QuestionDrafts.swift

@MainActor final class QuestionDrafts {
    private var texts: [Meeting.ID: String] = [:]

    func text(for meeting: Meeting.ID) -> String { texts[meeting] ?? "" }

    func cancel(askingToKeep ask: @escaping () async throws -> Bool) -> Action<QuestionModel, String, Void>.Async {
        { model, text in
            self.texts[model.meeting] = try await ask() ? text : nil
            model.close()
        }
    }
}

enum ClubScreen {
    case home
    case meeting(MeetingModel, QuestionModel)
}

// Sources/Club/MeetingView.swift

struct MeetingView: View {
    let meeting: MeetingModel
    @Bindable var question: QuestionModel

    var body: some View {
        LoadView(meeting.state, retry: meeting.retry) { value in
            VStack {
                Text(value.book).font(.title)
                if meeting.isReserving {
                    Text("Your seat is being reserved.")
                } else if value.hasSeat {
                    Text("You have a seat.")
                } else {
                    Button("Take a seat", action: meeting.takeSeat)
                }
                if let refusal = meeting.refusal {
                    Text(refusal)
                    Button("OK", action: meeting.dismissRefusal)
                }
                if question.isOpen {
                    TextField("Your question", text: $question.text)
                    Button("Ask", action: question.sendPressed).disabled(question.isBusy)
                    Button("Cancel", action: question.cancelPressed).disabled(question.isBusy)
                    if let problem = question.problem { Text(problem) }
                }
            }
        }
    }
}

// MARK: - The window

struct ClubWindowView: View {
    let navigator: Navigator<ClubScreen>

    var body: some View {
        NavigatorView(navigator) { screen in
            switch screen {
            case .home: Text("The reading club")
            case .meeting(let meeting, let question): MeetingView(meeting: meeting, question: question)
            }
        }
    }
}

// MARK: - Tests

@Suite(.timeLimit(.minutes(5))) @MainActor struct FromServerToScreenTests {
    private struct Refusal: DefiniteRejection {}

    private let navigator = Navigator<ClubScreen>.onMain()
    private let drafts = QuestionDrafts()
    private let answer = AsyncLatch()

    /// Shows a meeting whose server confirms or refuses a seat after `answer` has opened.
    private func showMeeting(isFull: Bool = false) -> ShapeHost {
        let answer = answer
        let meeting = MeetingModel(
            id: "1",
            meeting: Loader { id in Meeting(id: id, book: "Walden", hasSeat: false) },
            sendSeat: { id in
                { _ in
                    await answer.wait()
                    if isFull { throw Refusal() }
                    return Meeting(id: id, book: "Walden", hasSeat: true)
                }
            }
        )
        let keepDraft = Dialog<Bool>("Keep the question?", choices: [.init("Keep", true)])
        let navigator = navigator
        let question = QuestionModel(
            meeting: "1",
            actions: (
                send: { _, _ in throw URLError(.notConnectedToInternet) },
                cancel: drafts.cancel(askingToKeep: { try await navigator.ask(keepDraft) })
            )
        )
        navigator.setRoot(.home)
        navigator.push(.meeting(meeting, question))
        return ShapeHost { ClubWindowView(navigator: navigator) }
    }

    @Test func `a seat is being reserved until the server confirms it`() async {
        let host = showMeeting()
        await host.update { $0.isEnabled("Take a seat") == true }
        host.tap("Take a seat")
        await host.update { $0.texts.contains("Your seat is being reserved.") }
        answer.open()
        await host.update { $0.texts.contains("You have a seat.") }
        #expect(host.isEnabled("Take a seat") == nil)
        #expect(host.problems.isEmpty)
    }

    @Test func `a refused seat can be taken again after the user has read the refusal`() async {
        answer.open()
        let host = showMeeting(isFull: true)
        await host.update { $0.isEnabled("Take a seat") == true }
        host.tap("Take a seat")
        await host.update { $0.texts.contains("You have no seat. Try again.") }
        host.tap("OK")
        await host.update { !$0.texts.contains("You have no seat. Try again.") }
        #expect(host.isEnabled("Take a seat") == true)
    }

    @Test func `a question shows its problem, and is kept as a draft`() async {
        let host = showMeeting()
        await host.update { $0.isEnabled("Ask") == true }
        let texts = host.texts.count
        host.type("Why the pond?", into: "Your question")
        host.tap("Ask")
        await host.update { $0.texts.count > texts && $0.isEnabled("Ask") == true }
        host.tap("Cancel")
        await host.update { $0.isEnabled("Keep") == true }
        host.tap("Keep")
        await host.update { $0.isEnabled("Ask") == nil }
        #expect(drafts.text(for: "1") == "Why the pond?")
    }
}
