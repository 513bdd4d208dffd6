// The samples of Sources/BackplaneRemote/BackplaneRemote.docc/SignedInUser.md. Their tests
// are in SignedInUserTests.swift.

import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import Observation

struct Reader: Codable, Identifiable, Sendable {
    let id: String
    var name: String
}

extension AuthenticatedEndpoint<Reader> {
    static var me: Self { Self(.get("me")) }
}

func makeSession(over service: NonAuthenticatedNetworkController, vault: any TokenVault) -> UserSession<Reader> {
    UserSession(
        over: service,
        vault: vault,
        user: .me,
        refresh: { .refresh($0) },
        revokingWith: { .revocation(of: $0) }
    )
}

@MainActor final class ReaderModel {
    private(set) var problem: String?
    /// The notes of the reader who is signed in.
    let notes = RecordStore<String, String>()
    private let service: NonAuthenticatedNetworkController
    private let session: UserSession<Reader>

    init(service: NonAuthenticatedNetworkController, session: UserSession<Reader>) {
        self.service = service
        self.session = session
    }

    var greeting: String {
        switch session.state {
        case .unknown: "Welcome"
        case .signedOut(let reason): reason == .expired ? "You have been signed out. Sign in again." : "Sign in"
        case .signedIn(let account): "Hello, \(account.user.name)"
        }
    }

    func resume() async {
        do {
            problem = nil
            try await session.resume()?.own(notes)
        } catch {
            problem = "You are offline. Try again."
        }
    }

    func signIn(name: String, password: String) async throws {
        let tokens = try await service.request(.login(name: name, password: password))
        try await session.signIn(with: tokens).own(notes)
    }

    func signOut() async throws {
        try await session.signOut()
    }
}

enum ReaderScreen {
    case signIn(SignInModel)
    case bookList
    case book(String)
}

enum BookList: BoardContract {}
enum BookText: BoardContract { typealias Input = String }

struct BookListBoard: Board {
    let slot: Slot<BookList>
    let navigator: Navigator<ReaderScreen>

    func activate(with input: Void) {
        pair(with: navigator.setRoot(.bookList))
    }
}

struct BookTextBoard: Board {
    let slot: Slot<BookText>
    let navigator: Navigator<ReaderScreen>

    func activate(with id: String) {
        pair(with: navigator.push(.book(id)))
    }
}

enum ReadingRoom: BoardContract { typealias Input = UserAccount<Reader> }

final class ReadingRoomBoard: Board {
    let slot: Slot<ReadingRoom>
    private let books = RecordStore<String, String>()

    init(slot: Slot<ReadingRoom>, account: UserAccount<Reader>, navigator: Navigator<ReaderScreen>) {
        self.slot = slot
        account.own(books, on: slot.owner)
        inner.register { slot in BookListBoard(slot: slot, navigator: navigator) }
        inner.register(reuse: .perActivation) { slot in BookTextBoard(slot: slot, navigator: navigator) }
    }

    func activate(with account: UserAccount<Reader>) {
        inner.activate(BookList.id)
        task {
            if await account.ended() != nil { self.complete() }
        }
    }
}

@MainActor @Observable final class SignInModel {
    var name = ""
    var password = ""
    /// Whether no reader is signed in, or the reader wants to sign in all the same.
    var needsSignIn = false
    private let service: NonAuthenticatedNetworkController
    private let session: UserSession<Reader>
    private let slot: Slot<ReaderSignIn>
    private let performer: ActionPerformer

    init(service: NonAuthenticatedNetworkController, session: UserSession<Reader>, slot: Slot<ReaderSignIn>) {
        self.service = service
        self.session = session
        self.slot = slot
        // The work belongs to the board, as the form does, so a new activation does not cancel it.
        performer = ActionPerformer { work in slot.task(lasting: .board, work) }
    }

    var isBusy: Bool { performer.isPerforming }

    var problem: String? {
        performer.error.map { ($0 as? NetworkError)?.reason ?? "The library cannot be reached. Try again." }
    }

    func resume() {
        performer.perform(for: self) { model in
            if let account = try await model.session.resume() {
                model.slot.complete(sending: account)
            } else {
                model.needsSignIn = true
            }
        }
    }

    func signIn() {
        performer.perform(for: self) { model in
            let tokens = try await model.service.request(.login(name: model.name, password: model.password))
            model.slot.complete(sending: try await model.session.signIn(with: tokens))
        }
    }
}

enum ReaderSignIn: BoardContract { typealias Output = UserAccount<Reader> }

@MainActor struct ReaderSignInBoard: Board {
    let slot: Slot<ReaderSignIn>
    let form: Place<ReaderScreen>

    func activate(with input: Void) {
        // A link activates the live board again. The form stays, and belongs to this activation.
        pair(with: form)
    }
}

@MainActor struct ReaderModule: BoardModule {
    let service: NonAuthenticatedNetworkController
    let session: UserSession<Reader>
    let navigator: Navigator<ReaderScreen>

    func register(on motherboard: Motherboard) {
        motherboard.register { slot in
            let model = SignInModel(service: service, session: session, slot: slot)
            model.resume()
            return ReaderSignInBoard(slot: slot, form: navigator.setRoot(.signIn(model)))
        }
        motherboard.register { slot, account in ReadingRoomBoard(slot: slot, account: account, navigator: navigator) }
        motherboard.registerScope(ReadingRoom.id, enteredBy: ReaderSignIn.id) { $0 }
        motherboard.declare(BookList.id, BookText.id, inside: ReadingRoom.id)
        motherboard.registerLink("book/{id}", to: BookText.id)
        motherboard.registerCompletionFlow(ReadingRoom.id) { _, motherboard in motherboard.activate(ReaderSignIn.id) }
    }
}
