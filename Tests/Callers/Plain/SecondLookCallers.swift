import Backplane
import BackplaneTesting
import Foundation
import Testing

extension TaskKey {
    fileprivate static let count: Self = "count"
}

private final class FieldBoard: Board {
    enum Contract: BoardContract {
        typealias Output = Int
        typealias Command = String
    }

    let slot: Slot<Contract>
    private(set) var ends: [String] = []

    init(slot: Slot<Contract>) {
        self.slot = slot
    }

    func activate(with input: Void) {
        task(lasting: .board) { self.send(0) }
    }

    func receive(_ text: String) {
        task(.count) { self.send(text.count) }
        slot.task(.count, lasting: .board) { self.send(text.count * 10) }
    }

    func didEnd(_ completion: Completion) {
        ends.append("\(completion)")
    }
}

extension BoardID<FieldBoard.Contract> {
    fileprivate static var field: Self { "field" }
}

private struct HomeBoard: Board {
    let slot: Slot<Dashboard>

    func activate(with user: User.ID) {
        inner.register(.login) { DoorBoard(slot: $0) }
        send(slot.isLive(.login) ? "with a login" : user.rawValue)
    }

    func receive(_ command: Dashboard.Command) {}
}

private struct DoorBoard: Board {
    let slot: Slot<Login>

    func activate(with input: Void) {}
}

private struct QuestionBoard: Board {
    let slot: Slot<Search>

    func activate(with question: String) {
        send(question.count)
    }
}

private struct ShelfModule: BoardModule {
    let board: BoardID<Profile>
    let link: LinkTemplate
    var identity: BoardID<Profile> { board }

    func register(on motherboard: Motherboard) {
        motherboard.register(board) { slot, _ in ShelfBoard(slot: slot) }
        motherboard.registerLink(link, to: board, parents: ["home/{id}"]) { link in
            Profile.Input(user: try link["id"])
        }
    }
}

private struct ShelfBoard: Board {
    let slot: Slot<Profile>

    func activate(with input: Profile.Input) {
        send(input.tab)
    }
}

private struct HomeModule: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.register(.dashboard) { HomeBoard(slot: $0) }
        motherboard.registerLink("home/{id}", to: .dashboard)
    }
}

private final class Window: LifetimeOwner {
    let lifetime = Lifetime()
    var lines: [String] = []
}

private actor Connection {
    private lazy var motherboard = Motherboard(owner: self)

    func begin(for client: Client) -> ActivationState {
        motherboard.pair(with: client)
        motherboard.register(.login) { DoorBoard(slot: $0) }
        return activate()
    }

    func activate() -> ActivationState {
        motherboard.activate(.login).state
    }
}

private final class Client: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SecondLookCallers {
    private let motherboard = Motherboard.onMain()
    private let ada = User.ID(rawValue: "ada")
    private let window = Window()

    init() {
        motherboard.register(.dashboard) { HomeBoard(slot: $0) }
        motherboard.register(.login) { DoorBoard(slot: $0) }
        motherboard.register(.search) { QuestionBoard(slot: $0) }
        motherboard.register(.field) { FieldBoard(slot: $0) }
    }

    @Test func `a denial can be awaited and handled`() async {
        motherboard.gate(.dashboard, by: .search, with: "What is 2 + 2?") { _ in .closed }
        let window = window
        motherboard.registerDenialFlow { denial, _ in window.lines.append("\(denial.board): \(denial.reason)") }
        let token = motherboard.registerDenialFlow(weak: window) { window, denial in
            window.lines.append("\(denial.gate)")
        }
        let state = await motherboard.activate(.dashboard, with: ada).settled()
        motherboard.remove(token)
        if case .denied(let denial) = state {
            switch denial.reason {
            case .cycle(let boards): Issue.record("\(boards)")
            case .gateDenied(let denial): Issue.record("\(denial)")
            default: #expect(denial.gate == .search)
            }
        }
        #expect(window.lines == ["dashboard: closed", "search"])
    }

    @Test func `a link returns a handle`() async throws {
        let motherboard = Motherboard()
        motherboard.install(
            HomeModule(),
            ShelfModule(board: .profile, link: "profile/{id}"),
            ShelfModule(board: .friend, link: "friend/{id}")
        )
        motherboard.allowLinks(schemes: ["app"])
        let opening: OpenedLink = motherboard.open("app://profile/ada")
        #expect(await opening.settled() == .opened)
        #expect(opening.result == .opened)
        opening.complete(.cancelled)
        let url = try #require(URL(string: "https://elsewhere.example/profile/ada"))
        #expect(motherboard.open(url) == .notAllowed)
        #expect(motherboard.parents(of: "app://friend/ada") == ["/home/ada"])
    }

    @Test func `a keyed task replaces an earlier task, and didEnd receives the completion`() async throws {
        var board: FieldBoard?
        motherboard.register(.field, replacing: true) { slot in
            let made = FieldBoard(slot: slot)
            board = made
            return made
        }
        let field = motherboard.outputs(of: .field)
        motherboard.send("engine", to: .field)
        var counts: [Int] = []
        for try await count in field {
            counts.append(count)
            if count == 60 { field.activation.complete() }
        }
        #expect(counts == [0, 60])
        #expect(board?.ends == ["done"])
    }

    @Test func `the last output is a result, and equal activations join one task`() async throws {
        var works = 0
        let latch = AsyncLatch()
        motherboard.registerTask(.search, .join, replacing: true) { text, slot in
            works += 1
            slot.send(0)
            await latch.wait()
            return text.count
        }
        motherboard.registerTask(.upload, weak: window, .queue) { window, size, _ in window.lines.append("\(size)") }
        let first = Task { try await motherboard.result(of: .search, with: "engine", takingLast: true) }
        await latch.arrivals(atLeast: 1)
        let second = motherboard.outputs(of: .search, with: "engine")
        latch.open()
        #expect(try await first.value == 6)
        for try await count in second { #expect(count == 6) }
        #expect(works == 1)
        for try await _ in motherboard.outputs(of: .upload, with: 3) {}
        #expect(window.lines == ["3"])
    }

    @Test func `a motherboard ends with its client`() async {
        let connection = Connection()
        let client = Client()
        #expect(await connection.begin(for: client) == .active)
        client.lifetime.end()
        while await connection.activate() != .ownerGone { await Task.yield() }
    }
}
