import Backplane
import Testing

private final class LoginBoard: Board {
    let slot: Slot<Login>

    init(slot: Slot<Login>) {
        self.slot = slot
    }

    func activate(with input: Void) {
        complete(sending: User.ID(rawValue: "ada"))
    }
}

private final class DashboardBoard: Board {
    let slot: Slot<Dashboard>
    private var user: User.ID?

    init(slot: Slot<Dashboard>) {
        self.slot = slot
    }

    func activate(with user: User.ID) {
        self.user = user
    }

    func receive(_ command: Dashboard.Command) {
        guard let user else { return }
        switch command {
        case .refresh: send("refreshed for \(user.rawValue)")
        }
    }
}

private final class ProfileBoard: Board {
    let slot: Slot<Profile>
    private let input: Profile.Input

    init(slot: Slot<Profile>, input: Profile.Input) {
        self.slot = slot
        self.input = input
    }

    func activate(with input: Profile.Input) {
        send(self.input.tab)
    }
}

private struct SearchBoard: Board {
    let slot: Slot<Search>
    var limit = 10

    func activate(with text: String) {
        send(min(text.count, limit))
        slot.complete()
    }
}

private struct UploadBoard: Board {
    let slot: Slot<Upload>
    let size: Int

    func activate(with size: Int) {
        slot.complete(size == self.size ? .done : .cancelled)
    }
}

private struct AccountModule: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.register(.login) { slot in LoginBoard(slot: slot) }
        motherboard.register(.dashboard, reuse: .shared) { slot in DashboardBoard(slot: slot) }
        motherboard.registerFlowSteps(.login ->>> .dashboard)
    }
}

private actor Window {
    private lazy var motherboard = Motherboard(owner: self)
    private lazy var patient = Motherboard(owner: self, turnBudget: 10, clock: ContinuousClock())

    func start() -> ActivationState {
        motherboard.register(.login, LoginBoard.init)
        patient.install(AccountModule())
        patient.activate(.login)
        return motherboard.activate(.login).state
    }

    func restart() -> ActivationState {
        let fresh = Motherboard(turnBudget: 10)
        fresh.install(AccountModule())
        return fresh.activate(.login).state
    }
}

@MainActor
struct MotherboardCallers {
    private let motherboard = Motherboard.onMain()
    private let counting = Motherboard.onMain(turnBudget: 100, clock: ContinuousClock())

    @Test func `an app registers, activates and completes boards`() {
        var events: [BoardEvent.Kind] = []
        let observation = motherboard.observe { events.append($0.kind) }
        motherboard.install(AccountModule())
        motherboard.register(.profile) { slot, input in ProfileBoard(slot: slot, input: input) }
        motherboard.register(.search, reuse: .perActivation) { slot in SearchBoard(slot: slot) }
        motherboard.register(.search, reuse: .perActivation, replacing: true) { slot in
            SearchBoard(slot: slot, limit: 5)
        }
        motherboard.register(.upload) { slot, size in UploadBoard(slot: slot, size: size) }

        var refreshes: [String] = []
        motherboard.registerFlow(from: .dashboard) { output, _ in refreshes.append(output) }
        motherboard.activate(.login)
        #expect(motherboard.send(.refresh, to: .dashboard) == .delivered(1))
        #expect(refreshes == ["refreshed for ada"])

        let profile = motherboard.activate(.profile, with: Profile.Input(user: User.ID(rawValue: "ada")))
        #expect(profile.state == .active)
        profile.complete()
        #expect(motherboard.activate(.search, with: "engines").state == .completed)
        #expect(motherboard.activate(.upload, with: 3).completion?.isDone == true)

        motherboard.complete(.dashboard)
        motherboard.complete(.dashboard, .cancelled)
        motherboard.complete()
        motherboard.remove(observation)
        #expect(events.contains(.completed))
    }

    @Test func `a missing board is reported to the caller and the fallback`() {
        var missing: [AnyBoardID] = []
        let plain = Motherboard()
        plain.registerFallback { id, _ in missing.append(id) }
        let activation = plain.activate(.login)
        #expect(activation.state == .noSuchBoard)
        #expect(activation.id == .login)
        #expect(missing == [AnyBoardID(BoardID<Login>.login)])
        #expect(plain.send(.refresh, to: .dashboard) == .noSuchBoard)

        let timed = Motherboard(turnBudget: 10, clock: ContinuousClock())
        timed.register(.dashboard, replacing: false, DashboardBoard.init)
        let dashboard = timed.activate(.dashboard, with: User.ID(rawValue: "ada"))
        #expect(dashboard.send(.refresh) == .delivered(1))
        dashboard.complete(.cancelled)
        #expect(dashboard.completion?.isCancelled == true)
        #expect(counting.activate(BoardID<Login>("nobody")).state == .noSuchBoard)
    }

    @Test func `a motherboard belongs to an actor`() async {
        let window = Window()
        #expect(await window.start() == .completed)
        #expect(await window.restart() == .completed)
    }
}
