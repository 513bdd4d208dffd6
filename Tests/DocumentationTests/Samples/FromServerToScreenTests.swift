// The tests of Sources/BackplaneRemote/BackplaneRemote.docc/FromServerToScreen.md, and more tests
// of the same feature.

import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

// Tests/ClubTests/ClubTests.swift

@Suite(.timeLimit(.minutes(5))) @MainActor struct ClubTests {
    private struct NoMeeting: Error {}

    private let server = NetworkStub()
    private let test = TestMotherboard.onMain(exhaustive: false)
    private let navigator = Navigator<ClubScreen>.onMain(hasTransitions: false)
    private let session: UserSession<ClubMember>

    init() throws {
        server.respond(to: .post, "tokens", with: .json(#"{"access_token":"a","refresh_token":"r"}"#))
        server.respond(to: .get, "me", with: .json(#"{"id":"ada","name":"Ada"}"#))
        server.respond(to: .get, "meetings/1", with: .json(#"{"id":"1","book":"Walden","hasSeat":false}"#))
        let service = try NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server)
        let session = makeClubSession(over: service, vault: MemoryTokenVault())
        self.session = session
        test.motherboard.install(
            ClubModule(
                session: session,
                signIn: { try await session.signIn(with: service.request(.enter(name: "ada", password: "pond"))) },
                navigator: navigator
            ),
            ClubFlows(),
            ClubLinks()
        )
        navigator.setRoot(.home)
    }

    private func openMeeting() async throws -> (meeting: MeetingModel, question: QuestionModel) {
        test.motherboard.open("club://meeting/1")
        await test.receive(.activated(MeetingPage.id, with: "1"))
        guard case .meeting(let meeting, let question)? = navigator.top?.screen else { throw NoMeeting() }
        await waitUntil { meeting.state.value != nil }
        return (meeting, question)
    }

    @Test func `a seat is shown at once, and a refusal takes it back with the server's reason`() async throws {
        server.respond(
            to: .post,
            "meetings/1/seats",
            with: .json(#"{"detail":"All seats are taken."}"#, status: .conflict)
        )
        let meeting = try await openMeeting().meeting
        meeting.takeSeat()
        #expect(meeting.state.value?.hasSeat == true)
        #expect(meeting.isReserving)

        await waitUntil { meeting.refusal != nil }
        #expect(meeting.refusal == "All seats are taken.")
        #expect(meeting.state.value?.hasSeat == false)
    }

    @Test func `a question that is given up can be kept as a draft`() async throws {
        let question = try await openMeeting().question
        question.text = "Why the pond?"
        question.cancelPressed()
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.choose(0)
        await waitUntil { !question.isOpen }
        let reopened = try await openMeeting().question
        #expect(reopened.text == "Why the pond?")
    }

    @Test func `a sign-out closes the club and its screens`() async throws {
        _ = try await openMeeting()
        try await session.signOut()
        await test.receive(.completed(ClubRoom.id))
        #expect(navigator.places.count == 1)
    }
}

// MARK: - More tests of the steps

extension ClubTests {
    @Test func `a meeting that does not exist says so`() async throws {
        server.respond(
            to: .get,
            "meetings/1",
            with: .status(.notFound),
            .json(#"{"id":"1","book":"Emma","hasSeat":true}"#)
        )
        test.motherboard.open("/meeting/1")
        await test.receive(.activated(MeetingPage.id, with: "1"))
        guard case .meeting(let meeting, _)? = navigator.top?.screen else { throw NoMeeting() }
        await waitUntil { meeting.state.error != nil }
        #expect(meeting.state.error?.localizedDescription == "This meeting no longer exists.")
        meeting.retry()
        await waitUntil { meeting.state.value != nil }
        #expect(meeting.state.value?.book == "Emma")
    }

    @Test func `a question without a response is sent again with the same key`() async throws {
        let path = "meetings/1/questions"
        server.respond(to: .post, path, with: .status(.serviceUnavailable), .status(.noContent))
        let question = try await openMeeting().question
        question.text = "Why the pond?"
        question.sendPressed()
        #expect(question.isBusy)
        await waitUntil { question.problem != nil }
        #expect(question.problem == "The club cannot be reached. Try again.")
        #expect(question.isOpen)

        question.sendPressed()
        await waitUntil { !question.isOpen }
        let requests = server.requests.filter { $0.path == "/\(path)" }
        let keys = requests.map { $0.headerFields[.idempotencyKey] }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
        #expect(try requests.last?.json([String: String].self) == ["text": "Why the pond?"])
    }

    @Test func `a discarded draft is gone, and no answer keeps the form`() async throws {
        let question = try await openMeeting().question
        question.text = "Why the pond?"
        question.cancelPressed()
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.choose(2)
        await waitUntil { !question.isBusy }
        #expect(question.isOpen)
        #expect(question.problem == nil)

        await waitUntil { navigator.topLayer.dialog == nil }
        question.cancelPressed()
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.choose(1)
        await waitUntil { !question.isOpen }
        let reopened = try await openMeeting().question
        #expect(reopened.text.isEmpty)
    }

    @Test func `a draft stays if the action has no answer`() async throws {
        let drafts = QuestionDrafts()
        let cancel = drafts.cancel(askingToKeep: { throw CancellationError() })
        let question = QuestionModel(meeting: "1", text: "Why?", actions: ({ _, _ in }, cancel))
        await #expect(throws: CancellationError.self) { try await cancel(question, question.text) }
        #expect(question.isOpen)
        #expect(drafts.text(for: "1").isEmpty)
    }

    @Test func `a form that is a board of its own ends with its cancel action`() async {
        let drafts = QuestionDrafts()
        let cancel = drafts.cancel(askingToKeep: { true })
        let question = QuestionModel(meeting: "1", text: "Why?", actions: ({ _, _ in }, cancel))
        let motherboard = Motherboard()
        let id = BoardID<QuestionSheet>("question")
        motherboard.register(id) { slot in
            QuestionBoard(slot: slot, makeForm: { _ in question }, show: { _ in navigator.present(.home) })
        }
        let sheet = motherboard.activate(id, with: "1")
        #expect(navigator.places.count == 2)
        question.cancelPressed()
        await waitUntil { navigator.places.count == 1 }
        #expect(sheet.state == .completed)
        #expect(drafts.text(for: "1") == "Why?")
    }

    @Test func `after a sign-out, a link leads to the sign-in again`() async throws {
        _ = try await openMeeting()
        try await session.signOut()
        await test.receive(.completed(ClubRoom.id))
        #expect(test.motherboard.open("/meeting/1") == .waiting)
        await test.receive(.activated(MeetingPage.id, with: "1"))
        #expect(server.requests.filter { $0.path == "/tokens" }.count == 2)
    }

    @Test func `a choice in the list opens the meeting`() {
        let flows = TestMotherboard()
        flows.motherboard.install(ClubFlows())
        let list = flows.stub(MeetingList.id)
        flows.stub(MeetingPage.id)
        flows.motherboard.activate(MeetingList.id)
        list.send("1")
        flows.expect(.activated(MeetingList.id), .output(MeetingList.id, "1"), .activated(MeetingPage.id, with: "1"))
    }

    @Test func `the first version of the model loads and can be retried`() async {
        struct Offline: Error {}
        var loads = 0
        let meeting = FromServerToScreenBefore.MeetingModel(
            id: "1",
            meeting: Loader { id in
                loads += 1
                if loads == 1 { throw Offline() }
                return Meeting(id: id, book: "Walden", hasSeat: false)
            }
        )
        await waitUntil { meeting.state.error != nil }
        meeting.retry()
        await waitUntil { meeting.state.value != nil }
        #expect(meeting.state.value?.book == "Walden")
    }
}
