// The samples of Sources/BackplaneRemote/BackplaneRemote.docc/FromServerToScreen.md. Their tests
// are in FromServerToScreenTests.swift, and the view is in Tests/Shapes. CompilerTests checks that
// the files compile as a module.

import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import Foundation
import Observation

// Sources/Club/ClubServer.swift

struct Meeting: Codable, Identifiable, Sendable {
    let id: String
    let book: String
    var hasSeat: Bool
}

extension AuthenticatedEndpoint<Meeting> {
    static func meeting(_ id: Meeting.ID) -> Self { Self(.get("meetings/\(id)")) }
}

extension AuthenticatedIdempotentEndpoint<Meeting> {
    static func takeSeat(at id: Meeting.ID) -> Self { Self(.post("meetings/\(id)/seats")) }
}

extension AuthenticatedIdempotentEndpoint<Void> {
    static func ask(_ question: String, at id: Meeting.ID) -> Self {
        Self(.post("meetings/\(id)/questions", body: .json(["text": question])))
    }
}

extension NetworkError {
    /// The text for the member.
    var textForMember: String {
        if let reason { return reason }
        return isMissing ? "This meeting no longer exists." : "The club cannot be reached. Try again."
    }
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
    var onClose: () -> Void = {}
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

    func close() {
        isOpen = false
        onClose()
    }
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

struct QuestionActions {
    var send: Action<QuestionModel, String, Void>.Async
    var cancel: Action<QuestionModel, String, Void>.Async
    var edited: Action<QuestionModel, String, Void>.Sync = { _, _ in }
}

// Sources/Club/MeetingBoard.swift

enum MeetingPage: BoardContract {
    typealias Input = Meeting.ID
}

enum ClubScreen {
    case home
    case meeting(MeetingModel, QuestionModel)
}

@MainActor struct MeetingBoard: Board {
    let slot: Slot<MeetingPage>
    let module: MeetingModule

    func activate(with id: Meeting.ID) {
        pair(with: module.navigator.push(module.makeScreen(id)))
    }
}

// Sources/Club/MeetingModule.swift

@MainActor struct MeetingModule: BoardModule {
    let controller: AuthenticatedNetworkController
    let meetings: RecordStore<Meeting.ID, Meeting>
    let drafts: QuestionDrafts
    let navigator: Navigator<ClubScreen>

    func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in MeetingBoard(slot: slot, module: self) }
    }

    func makeScreen(_ id: Meeting.ID) -> ClubScreen {
        let server = controller.explaining { $0.textForMember }
        let ask = IdempotentAction<String, Void>(for: { .ask($0, at: id) }, through: server)
        let keepDraft = Dialog<Bool>(
            "Keep the question?",
            choices: [.init("Keep", true), .init("Discard", false, role: .destructive)]
        )
        return .meeting(
            MeetingModel(
                id: id,
                meeting: Loader(store: meetings, for: { .meeting($0) }, from: server),
                sendSeat: { server.sending(.takeSeat(at: $0)) }
            ),
            QuestionModel(
                meeting: id,
                text: drafts.text(for: id),
                actions: (
                    send: { model, text in
                        try await ask(text)
                        model.close()
                    },
                    cancel: drafts.cancel(askingToKeep: { try await navigator.ask(keepDraft) })
                )
            )
        )
    }
}

enum QuestionSheet: BoardContract {
    typealias Input = Meeting.ID
}

@MainActor struct QuestionBoard: Board {
    let slot: Slot<QuestionSheet>
    let makeForm: (Meeting.ID) -> QuestionModel
    let show: (QuestionModel) -> Place<ClubScreen>

    func activate(with id: Meeting.ID) {
        let form = makeForm(id)
        form.onClose = { complete() }
        pair(with: show(form))
    }
}

// Sources/Club/ClubFlows.swift

enum MeetingList: BoardContract {
    typealias Output = Meeting.ID
}

struct ClubFlows: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.registerFlowSteps(MeetingList.id ->>> MeetingPage.id)
    }
}

// Sources/Club/ClubSession.swift

struct ClubMember: Codable, Identifiable, Sendable {
    let id: String
    let name: String
}

extension AuthenticatedEndpoint<ClubMember> {
    static var member: Self { Self(.get("me")) }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func enter(name: String, password: String) -> Self {
        Self(.post("tokens", body: .json(["name": name, "password": password])))
    }

    static func renewed(with token: RefreshToken) -> Self {
        Self(.post("tokens/renewal", body: .json(["refresh_token": token])))
    }
}

func makeClubSession(
    over service: NonAuthenticatedNetworkController,
    vault: any TokenVault
) -> UserSession<ClubMember> {
    UserSession(over: service, vault: vault, user: .member, refresh: { .renewed(with: $0) })
}

// Sources/Club/ClubRoom.swift

enum ClubDoor: BoardContract { typealias Output = UserAccount<ClubMember> }
enum ClubRoom: BoardContract { typealias Input = UserAccount<ClubMember> }

@MainActor final class ClubRoomBoard: Board {
    let slot: Slot<ClubRoom>

    init(slot: Slot<ClubRoom>, account: UserAccount<ClubMember>, navigator: Navigator<ClubScreen>) {
        self.slot = slot
        let meetings = RecordStore<Meeting.ID, Meeting>()
        account.own(meetings)
        inner.install(
            MeetingModule(
                controller: account.controller,
                meetings: meetings,
                drafts: QuestionDrafts(),
                navigator: navigator
            )
        )
    }

    func activate(with account: UserAccount<ClubMember>) {
        task {
            if await account.ended() != nil { self.complete() }
        }
    }
}

@MainActor struct ClubModule: BoardModule {
    let session: UserSession<ClubMember>
    let signIn: () async throws -> UserAccount<ClubMember>
    let navigator: Navigator<ClubScreen>

    func register(on motherboard: Motherboard) {
        motherboard.registerTask(ClubDoor.id) { _, _ in
            if let account = try await session.resume() { return account }
            return try await signIn()
        }
        motherboard.register { slot, account in ClubRoomBoard(slot: slot, account: account, navigator: navigator) }
        motherboard.registerScope(ClubRoom.id, enteredBy: ClubDoor.id) { $0 }
        motherboard.declare(MeetingPage.id, MeetingList.id, inside: ClubRoom.id)
    }
}

// Sources/Club/ClubLinks.swift

struct ClubLinks: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.allowLinks(schemes: ["club"])
        motherboard.registerLink("meeting/{id}", to: MeetingPage.id)
    }
}

/// The version of a declaration that the tutorial replaces later.
enum FromServerToScreenBefore {
    // Sources/Club/MeetingModel.swift

    @MainActor final class MeetingModel {
        private let meeting: Loader<Meeting.ID, Meeting>

        init(id: Meeting.ID, meeting: Loader<Meeting.ID, Meeting>) {
            self.meeting = meeting
            meeting.load(id)
        }

        var state: LoadState<Meeting> { meeting.state }

        func retry() { meeting.retry() }
    }
}
