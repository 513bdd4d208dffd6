// The samples of Sources/BackplaneSwiftUI/BackplaneSwiftUI.docc/ScenePhases.md, with tests.

import Backplane
import BackplaneNavigation
import BackplaneNetworking
import BackplaneStorage
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import HTTPTypes
import ShapesTestTools
import SwiftUI
import Testing
import UIKit

@MainActor final class NotesWindow: LifetimeOwner {
    let lifetime = Lifetime()
    let navigator = Navigator<String>.onMain()
    let motherboard = Motherboard.onMain()

    init() {
        motherboard.pair(with: self)
        motherboard.register(reuse: .perActivation) { [navigator] slot in
            NoteBoard(slot: slot, navigator: navigator)
        }
    }

    /// Shows the boards of the snapshot above the start.
    func begin(with boards: Data?) {
        // A window can appear again, for example when a cover has gone.
        guard navigator.places.isEmpty else { return }
        navigator.setRoot("Notes")
        guard let boards, let snapshot = try? JSONDecoder().decode(BoardSnapshot.self, from: boards) else { return }
        motherboard.restore(snapshot)
    }
}

struct NotesScene: View {
    @Kept private var window = NotesWindow()
    @Environment(\.scenePhase) private var phase
    @SceneStorage("boards") private var boards: Data?

    var body: some View {
        NavigatorView(window.navigator) { screen in Text(screen) }
            .environment(\.motherboard, window.motherboard)
            .onAppear { window.begin(with: boards) }
            .onChange(of: phase) { _, phase in
                if phase == .background { boards = try? JSONEncoder().encode(window.motherboard.snapshot()) }
            }
    }
}

@MainActor final class Sending {
    let outbox: AccountOutbox

    init(_ outbox: AccountOutbox) {
        self.outbox = outbox
    }

    func follow(_ phase: ScenePhase) {
        if phase == .active { outbox.start() }
        guard phase == .background else { return }
        let grant = UIApplication.shared.beginBackgroundTask()
        Task {
            _ = try? await outbox.drain(within: .seconds(20))
            UIApplication.shared.endBackgroundTask(grant)
        }
    }
}

struct NotesApp: App {
    @Environment(\.scenePhase) private var phase
    let sending: Sending

    var body: some Scene {
        WindowGroup { NotesScene() }
            .onChange(of: phase, initial: true) { _, phase in sending.follow(phase) }
    }
}

enum NotePage: BoardContract {
    typealias Input = String
}

@MainActor struct NoteBoard: Board {
    let slot: Slot<NotePage>
    let navigator: Navigator<String>

    func activate(with title: String) { pair(with: navigator.push(title)) }
}

// The app of the sample makes its outbox itself.
extension NotesApp {
    init() { fatalError("The tests pass an outbox.") }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ScenePhasesSampleTests {
    @Test(.rule("V34")) func `each scene is restored with its own boards`() throws {
        let window = NotesWindow()
        window.begin(with: nil)
        window.motherboard.activate(NotePage.id, with: "Milk")
        let boards = try JSONEncoder().encode(window.motherboard.snapshot())

        let first = ShapeHost(restoring: ["boards": boards]) { NotesScene() }
        #expect(first.texts == ["Milk"])
        let second = ShapeHost { NotesScene() }
        #expect(second.texts == ["Notes"])
        first.goBack()
        first.scenePhase = .inactive
        #expect(first.sceneStorage["boards"] == boards)
        first.scenePhase = .background
        second.scenePhase = .background
        #expect(second.sceneStorage["boards"] == first.sceneStorage["boards"])

        let damaged = ShapeHost(restoring: ["boards": Data("no snapshot".utf8)]) { NotesScene() }
        #expect(damaged.texts == ["Notes"])
        #expect(first.problems.isEmpty && second.problems.isEmpty)
    }

    @Test(.rule("V34")) func `an outbox sends in the background for a while, stops, and resumes`() async throws {
        let server = NetworkStub()
        let service = try NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server)
        let tokens = NetworkTokens(access: AccessToken(rawValue: "access"))
        let controller = AuthenticatedNetworkController(over: service, tokens: tokens) { _ in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh")) { _, _, _ in tokens }
        }
        let outbox = try Outbox(file: nil, kinds: [OutboxKind("notes")]).account("ada", through: controller)
        let host = ShapeHost(app: NotesApp(sending: Sending(outbox)))
        func save(_ note: String) async throws {
            server.respond(to: .put, note, with: .status(.noContent))
            let endpoint = AuthenticatedIdempotentEndpoint<Void>(.put("\(note)"))
            _ = try await outbox.enqueue(endpoint, of: OutboxKind("notes"), entity: note)
        }

        try await save("one")
        #expect(try await outbox.waitUntilDrained().isDrained)
        try await save("two")
        host.scenePhase = .background
        #expect(UIApplication.shared.backgroundTasks.count == 1)
        await yield { UIApplication.shared.backgroundTasks.isEmpty }
        #expect(server.requests.last?.path == "/two")

        // Stopped: the system may suspend the app at any moment.
        try await save("three")
        #expect(try await !outbox.readStatus().isDrained)
        host.scenePhase = .inactive
        #expect(try await !outbox.readStatus().isDrained)
        host.scenePhase = .active
        #expect(try await outbox.waitUntilDrained().isDrained)
        #expect(server.requests.last?.path == "/three")
    }
}
