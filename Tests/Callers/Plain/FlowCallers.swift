import Backplane
import Testing

private struct Echo: Board {
    let slot: Slot<Search>

    func activate(with text: String) {
        send(text.count)
        slot.send(text.count + 1)
    }
}

private struct Page: Board {
    let slot: Slot<Profile>

    func activate(with input: Profile.Input) {
        slot.sendAction(Visited(tab: input.tab))
        slot.complete(.done, sending: input.tab)
    }
}

private struct Form: Board {
    let slot: Slot<Login>

    func activate(with input: Void) {
        send(User.ID(rawValue: "ada"))
        sendAction(Visited(tab: "login"))
        complete()
    }
}

private struct Home: Board {
    let slot: Slot<Dashboard>

    func activate(with user: User.ID) {
        let log = nextToBoard(.log)
        let profile = nextToBoard(.profile, with: Profile.Input(user: user))
        send("\(profile.state)", to: .log)
        log.send("started")
        slot.nextToBoard(.profile, with: Profile.Input(user: user, tab: "friends"))
        slot.send("ended", to: .log)
        send(user.rawValue)
    }

    func receive(_ command: Dashboard.Command) {}
}

private enum Log: BoardContract {
    typealias Command = String
}

private final class LogBoard: Board {
    let slot: Slot<Log>
    private(set) var lines: [String] = []

    init(slot: Slot<Log>) {
        self.slot = slot
    }

    func activate(with input: Void) {}

    func receive(_ line: String) {
        lines.append(line)
    }
}

extension BoardID<Log> {
    fileprivate static var log: Self { "log" }
}

private struct Visited: BoardFlowAction {
    let tab: String
}

private final class Counter {
    var sum = 0
}

@MainActor
struct FlowCallers {
    private let motherboard: Motherboard

    init() {
        motherboard = Motherboard()
        motherboard.register(.search) { Echo(slot: $0) }
        motherboard.register(.profile) { Page(slot: $0) }
        motherboard.register(.friend) { Page(slot: $0) }
        motherboard.register(.tutor) { Page(slot: $0) }
        motherboard.register(.login) { Form(slot: $0) }
        motherboard.register(.dashboard) { Home(slot: $0) }
        motherboard.register(.log) { LogBoard(slot: $0) }
    }

    @Test func `outputs activate boards and call handlers`() {
        var tabs: [String] = []
        motherboard.registerFlow(from: .login, to: .profile) { user in Profile.Input(user: user, tab: "friends") }
        motherboard.registerFlow(from: .profile, .friend) { tab, id, _ in tabs.append("\(id) \(tab)") }
        motherboard.registerFlow(from: .profile, .friend, .tutor) { tab, _, motherboard in
            motherboard.activate(.search, with: tab)
        }
        let counter = Counter()
        motherboard.registerFlow(from: .search, weak: counter) { counter, count in counter.sum += count }
        var ends = 0
        let token = motherboard.registerCompletionFlow(.login) { completion, _ in
            switch completion {
            case .done: ends += 1
            case .cancelled: ends += 10
            case .failed(let error): Issue.record(error)
            }
        }
        motherboard.activate(.login)
        #expect(tabs == ["profile friends"])
        #expect(counter.sum == 7 + 8)
        motherboard.remove(token)
        motherboard.activate(.login)
        #expect(ends == 1)
    }

    @Test func `a chain of flow steps passes outputs from board to board`() {
        var counts: [Int] = []
        motherboard.registerFlowSteps(.login ->>> .dashboard ->>> .search)
        motherboard.registerFlow(from: .search) { count, _ in counts.append(count) }
        motherboard.registerGeneralFlow { (visited: Visited, motherboard: Motherboard) in
            if visited.tab == "friends" { motherboard.complete(.log) }
        }
        motherboard.activate(.login)
        #expect(counts == [3, 4])
    }

    @Test func `a combined flow receives the outputs of two boards`() {
        var pairs: [String] = []
        motherboard.registerCombinedFlow(.login, .profile) { _, user, tab in pairs.append("\(user.rawValue) \(tab)") }
        motherboard.registerCombinedFlow(.profile, .search, strategy: .latest) { _, tab, count in
            pairs.append("\(tab) \(count)")
        }
        motherboard.activate(.login)
        motherboard.activate(.profile, with: Profile.Input(user: User.ID(rawValue: "ada")))
        #expect(pairs.first == "ada about")
    }

    @Test func `a bubbling flow handles an action or passes it on`() {
        var visits: [String] = []
        motherboard.registerBubblingFlow { (visited: Visited, _: Motherboard) in
            visits.append(visited.tab)
            return visited.tab == "login" ? .handled : .bubble
        }
        motherboard.activate(.login)
        motherboard.sendAction(Visited(tab: "nowhere"))
        #expect(visits == ["login", "nowhere"])
    }
}
