import Backplane
import Testing

private struct Guarded: Board {
    let slot: Slot<Dashboard>

    func activate(with user: User.ID) {
        send("inside")
    }

    func receive(_ command: Dashboard.Command) {}
}

private struct Doorkeeper: Board {
    let slot: Slot<Login>

    func activate(with input: Void) {
        complete(sending: User.ID(rawValue: "ada"))
    }
}

private struct Examiner: Board {
    let slot: Slot<Search>

    func activate(with question: String) {
        complete(.done, sending: question.count)
    }
}

@MainActor
struct GateCallers {
    private let motherboard: Motherboard

    init() {
        motherboard = Motherboard()
        motherboard.register(.dashboard) { Guarded(slot: $0) }
        motherboard.register(.login) { Doorkeeper(slot: $0) }
        motherboard.register(.search) { Examiner(slot: $0) }
    }

    @Test func `a gate board decides whether another board is entered`() {
        motherboard.gate(.dashboard, by: .login) { user in user.rawValue == "ada" ? .open : .closed }
        #expect(motherboard.activate(.dashboard, with: User.ID(rawValue: "ada")).state == .active)
    }

    @Test func `a gate board receives its own input`() {
        motherboard.gate(.dashboard, by: .search, with: "What is 2 + 2?") { count in count > 100 ? .open : .closed }
        let denial = Denial(of: .dashboard, by: BoardID<Search>.search, .closed)
        #expect(motherboard.activate(.dashboard, with: User.ID(rawValue: "ada")).state == .denied(denial))
        #expect(denial.gate == .search)
        #expect(denial.reason == .closed)
    }

    @Test func `a general gate applies to every board but its exceptions`() {
        motherboard.gateAll(by: .login) { _ in .open }
        #expect(motherboard.activate(.dashboard, with: User.ID(rawValue: "ada")).state == .active)
        motherboard.gateAll(by: .login, except: .dashboard, .search, replacing: true) { _ in .undecided }
        #expect(motherboard.activate(.search, with: "anything").state == .completed)
        motherboard.gateAll(by: .search, with: "Who?", except: .login) { count in count == 4 ? .open : .closed }
        motherboard.complete(.dashboard)
        #expect(motherboard.activate(.dashboard, with: User.ID(rawValue: "ada")).state == .active)
    }
}
