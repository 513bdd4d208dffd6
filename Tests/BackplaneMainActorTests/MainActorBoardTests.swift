import Backplane
import BackplaneTesting
import TestSupport
import Testing

// In an iOS app, an interface module is nonisolated. An implementation module like this one is on
// the main actor by default.

nonisolated enum Login: BoardContract {
    typealias Output = String
}

nonisolated enum Dashboard: BoardContract {
    typealias Input = String
    enum Output { case signedOut }
    enum Command { case refresh }
}

extension BoardID<Login> {
    nonisolated static var login: Self { "login" }
}

extension BoardID<Dashboard> {
    nonisolated static var dashboard: Self { "dashboard" }
}

final class LoginBoard: Board {
    let slot: Slot<Login>

    init(slot: Slot<Login>) {
        self.slot = slot
    }

    func activate(with input: Void) {
        send("ada")
        complete()
    }
}

final class DashboardBoard: Board {
    let slot: Slot<Dashboard>
    let loaded: AsyncLatch
    var user: String?
    var refreshes = 0

    init(slot: Slot<Dashboard>, loaded: AsyncLatch) {
        self.slot = slot
        self.loaded = loaded
    }

    func activate(with input: String) {
        task { await self.load(input) }
    }

    func receive(_ command: Dashboard.Command) {
        refreshes += 1
    }

    private func load(_ user: String) async {
        await Task.yield()
        self.user = user
        loaded.open()
    }
}

final class AppModel {
    let motherboard = Motherboard.onMain()
    let loaded = AsyncLatch()
    private(set) var dashboard: DashboardBoard?
    private(set) var completions: [String] = []

    init() {
        motherboard.register(.login, LoginBoard.init)
        motherboard.register(.dashboard) { [unowned self] slot in
            let board = DashboardBoard(slot: slot, loaded: loaded)
            dashboard = board
            return board
        }
        motherboard.registerFlowSteps(.login ->>> .dashboard)
        motherboard.registerCompletionFlow(.login) { [unowned self] completion, _ in
            completions.append("\(completion)")
        }
    }
}

struct MainActorBoardTests {
    @Test(.rule("B1")) func `boards of a module with main-actor default isolation need no annotations`() async throws {
        let app = AppModel()
        let login = app.motherboard.activate(.login)
        #expect(login.state == .completed)
        let dashboard = try #require(app.dashboard)
        await app.loaded.wait()
        #expect(dashboard.user == "ada")
        #expect(app.motherboard.send(.refresh, to: .dashboard) == .delivered(1))
        #expect(dashboard.refreshes == 1)
        #expect(app.completions == ["done"])
    }
}
