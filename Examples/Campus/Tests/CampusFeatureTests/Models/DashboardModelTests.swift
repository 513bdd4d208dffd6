import BackplaneFeatures
import BackplaneTesting
import CampusModels
import CampusTestTools
import DashboardInterface
import DashboardModels
import Foundation
import Screens
import Testing

/// The model of the dashboard, without a host.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DashboardModelTests {
    /// The board, the outbox and the server of a dashboard.
    private final class Desk: DashboardDelegate, DashboardOutbox {
        var changes: [PendingChange] = []
        var moreChanges = 0
        /// The error of decisions about changes.
        var refusal: DisplayError?
        /// The error of the courses and of the pages of messages.
        var error: DisplayError?
        /// The number of messages that were sent earlier.
        var sentCount = 0
        var calls: [String] = []

        func open(_ course: Course.ID) { calls.append("open \(course)") }
        func compose() { calls.append("compose") }
        func refresh() { calls.append("refresh") }
        func countWeek() { calls.append("countWeek") }
        func signOut() { calls.append("signOut") }

        func tryNow() { calls.append("tryNow") }
        func sendAgain(_ id: PendingChange.ID) async throws { try decide("sendAgain \(id)") }
        func edit(_ id: PendingChange.ID) { calls.append("edit \(id)") }
        func discard(_ id: PendingChange.ID) async throws { try decide("discard \(id)") }

        private func decide(_ call: String) throws {
            calls.append(call)
            if let refusal { throw refusal }
        }

        func check() throws {
            if let error { throw error }
        }

        /// Returns two messages; the text of a message is its number, and its ID, too.
        func page(before: Message.ID?) throws -> Page<Message.ID, Message> {
            try check()
            let numbers = (0..<sentCount).dropFirst(before.flatMap { Int($0.rawValue) }.map { $0 + 1 } ?? 0).prefix(2)
            let messages = numbers.map { Message(id: Message.ID(rawValue: "\($0)"), recipients: [], text: "\($0)") }
            return Page(messages, next: numbers.endIndex < sentCount ? messages.last?.id : nil)
        }
    }

    private let desk = Desk()
    private let sends = LoadStub<IdempotencyKey, Message>()
    private let message = Message(id: "new", recipients: [], text: "Hello")
    private let week = Dashboard.Week(appointments: 2, openTodos: 3)

    private func makeDashboard(tiles: @escaping () -> [Tile] = { [] }) -> DashboardModel {
        let desk = desk
        let loading = DashboardLoading(
            user: { User(id: "ada", name: "Ada", email: "ada@campus.example") },
            courses: {
                try desk.check()
                return [Course(id: "abc123", title: "Engines", summary: "")]
            }
        )
        let store = RecordStore<Message.ID, Message>(identity: \.id, clock: ManualClock())
        let messages = PagedLoader<Message.ID, Message>(store: store) { before in try desk.page(before: before) }
        return DashboardModel(
            loading: loading,
            messages: messages,
            outbox: desk,
            startTask: { work in Task { try? await work() } },
            delegate: desk,
            tiles: tiles
        )
    }

    /// Loads everything as the board does.
    private func beginLoad(_ dashboard: DashboardModel) {
        dashboard.obey(.weekChanged)
        dashboard.user.load()
        dashboard.courses.load()
        dashboard.messages.load()
    }

    private func load(_ dashboard: DashboardModel) async {
        beginLoad(dashboard)
        dashboard.obey(.show(week))
        await settle(dashboard)
    }

    private func settle(_ dashboard: DashboardModel) async {
        while dashboard.isBusy, !Task.isCancelled { await Task.yield() }
    }

    /// Sends a message as an outbox does, and returns when its request has begun.
    private func send(on dashboard: DashboardModel) async {
        let (sends, message) = (sends, message)
        _ = Task {
            try await dashboard.messages.insert(message) { key in
                try await sends.load(key)
            } confirming: { sent in
                sent
            }
        }
        await sends.requests(atLeast: 1)
    }

    private func texts(on dashboard: DashboardModel) -> [String] { dashboard.messages.items.map(\.text) }

    @Test func `a part that fails to load leaves the others, and can be loaded again`() async {
        desk.error = DisplayError("No answer.")
        let dashboard = makeDashboard()
        await load(dashboard)
        #expect(dashboard.user.value?.name == "Ada")
        #expect(dashboard.courses.state.problem == "No answer.")
        desk.error = nil
        dashboard.retry(.courses)
        #expect(dashboard.isBusy)
        await settle(dashboard)
        #expect(dashboard.courses.value?.map(\.title) == ["Engines"])
    }

    @Test func `the user's choices go to the board, and a sign-out keeps the dashboard busy until the user stays`() {
        let dashboard = makeDashboard()
        dashboard.open("abc123")
        dashboard.compose()
        #expect(!dashboard.isBusy)
        for _ in 1...2 { dashboard.signOut() }
        #expect(dashboard.isBusy)
        dashboard.obey(.stay)
        #expect(!dashboard.isBusy)
        dashboard.signOut()
        #expect(desk.calls == ["open abc123", "compose", "signOut", "signOut"])
    }

    /// Refreshes the dashboard as the user does, and returns when all but the week has loaded.
    private func refresh(_ dashboard: DashboardModel) async {
        dashboard.refresh()
        dashboard.obey(.refresh)
        #expect(dashboard.isRefreshing && !dashboard.isRefreshed)
        while dashboard.courses.state.isLoading || dashboard.messages.state.isLoading, !Task.isCancelled {
            await Task.yield()
        }
        #expect(dashboard.isRefreshing && !dashboard.isRefreshed)
    }

    @Test(.rule("A31", "M13")) func `a refresh runs until every part has loaded again, including the week`() async {
        let dashboard = makeDashboard()
        await load(dashboard)
        #expect(!dashboard.isRefreshing && !dashboard.isRefreshed)
        await refresh(dashboard)
        #expect(desk.calls == ["refresh"])
        dashboard.obey(.show(week))
        await settle(dashboard)
        while dashboard.isRefreshing, !Task.isCancelled { await Task.yield() }
        #expect(dashboard.isRefreshed)
    }

    @Test(.rule("A31")) func `a reload that the user did not request is not a refresh, even after a refresh`() async {
        let dashboard = makeDashboard()
        await load(dashboard)
        for _ in 1...2 {
            dashboard.obey(.refresh)
            #expect(dashboard.isBusy && !dashboard.isRefreshing)
            dashboard.obey(.show(week))
            await settle(dashboard)
            await refresh(dashboard)
            dashboard.obey(.show(week))
            while dashboard.isRefreshing, !Task.isCancelled { await Task.yield() }
        }
    }

    @Test(.rule("M13")) func `if the week cannot be loaded, the last week stays and can be retried`()
        async
    {
        let dashboard = makeDashboard()
        beginLoad(dashboard)
        #expect(dashboard.week.isLoading && dashboard.week.value == nil)
        dashboard.obey(.failWeek("No answer."))
        #expect(dashboard.week.problem == "No answer." && dashboard.week.value == nil)
        dashboard.retry(.week)
        #expect(desk.calls == ["countWeek"])
        dashboard.obey(.weekChanged)
        #expect(dashboard.week.isLoading && dashboard.isBusy)
        dashboard.retry(.week)
        #expect(desk.calls == ["countWeek"])
        dashboard.obey(.show(week))
        #expect(dashboard.week.value == week && !dashboard.isWeekFree)
        await settle(dashboard)
        await refresh(dashboard)
        dashboard.obey(.failWeek("No answer."))
        while dashboard.isRefreshing, !Task.isCancelled { await Task.yield() }
        #expect(!dashboard.isRefreshed)
        #expect(dashboard.week.value == week && dashboard.week.problem == "No answer.")
    }

    @Test func `the tiles are always the current ones`() {
        var tiles: [Tile] = []
        let dashboard = makeDashboard { tiles }
        #expect(dashboard.tiles.isEmpty)
        tiles = [Tile("Campus shop", path: "/catalog", text: "Cards.")]
        #expect(dashboard.tiles == tiles)
    }

    @Test func `older messages show page by page until the oldest one shows`() async {
        desk.sentCount = 5
        let dashboard = makeDashboard()
        #expect(dashboard.older == nil)
        await load(dashboard)
        #expect(texts(on: dashboard) == ["0", "1"])
        #expect(dashboard.older == .available)
        dashboard.showOlder()
        #expect(dashboard.older == .loading)
        #expect(dashboard.isBusy)
        #expect(!dashboard.shownMessages.isLoading)
        await settle(dashboard)
        #expect(texts(on: dashboard) == ["0", "1", "2", "3"])
        #expect(dashboard.older == .available)
        dashboard.showOlder()
        await settle(dashboard)
        #expect(texts(on: dashboard) == ["0", "1", "2", "3", "4"])
        #expect(dashboard.older == nil)
        dashboard.showOlder()
        #expect(!dashboard.isBusy)
    }

    @Test func `if older messages fail to load, the others stay, and a retry is possible`() async {
        desk.sentCount = 3
        let dashboard = makeDashboard()
        await load(dashboard)
        desk.error = DisplayError("No answer.")
        dashboard.showOlder()
        await settle(dashboard)
        #expect(dashboard.older == .failed("No answer."))
        #expect(dashboard.shownMessages.error == nil)
        #expect(texts(on: dashboard) == ["0", "1"])
        desk.error = nil
        dashboard.retry(.messages)
        #expect(dashboard.older == .loading)
        await settle(dashboard)
        #expect(texts(on: dashboard) == ["0", "1", "2"])
    }

    @Test func `the error of a reload is about the shown messages, and not about the older ones`() async {
        desk.sentCount = 3
        let dashboard = makeDashboard()
        await load(dashboard)
        desk.error = DisplayError("No answer.")
        dashboard.obey(.refresh)
        dashboard.obey(.show(week))
        await settle(dashboard)
        #expect(dashboard.shownMessages.error != nil)
        #expect(dashboard.older == .available)
        #expect(texts(on: dashboard) == ["0", "1"])
    }

    @Test func `a user without messages is told so after the messages have loaded`() async {
        let dashboard = makeDashboard()
        #expect(dashboard.noMessages == nil)
        await load(dashboard)
        #expect(dashboard.noMessages == "You have not sent any messages yet.")
        await send(on: dashboard)
        #expect(dashboard.noMessages == nil)
        sends.succeed(with: Message(id: "7", recipients: [], text: "Hello"))
        await settle(dashboard)
        #expect(dashboard.noMessages == nil)
    }

    @Test func `a message is being sent, then unconfirmed, and confirmed after it is sent again`() async throws {
        let dashboard = makeDashboard()
        await load(dashboard)
        #expect(dashboard.progress(of: message) == nil)
        await send(on: dashboard)
        #expect(dashboard.messages.ids == ["new"])
        #expect(dashboard.progress(of: message) == .sending)
        #expect(dashboard.isBusy)
        sends.fail(with: DisplayError("No answer."))
        await settle(dashboard)
        #expect(dashboard.progress(of: message) == .unconfirmed(problem: nil, next: nil))
        dashboard.messages.retryPending()
        #expect(dashboard.progress(of: message) == .sending)
        await sends.requests(atLeast: 2)
        let sent = Message(id: "7", recipients: [], text: "Hello")
        sends.succeed(with: sent)
        await settle(dashboard)
        #expect(dashboard.messages.items == [sent])
        #expect(dashboard.progress(of: sent) == nil)
    }

    private func refused(_ id: PendingChange.ID) -> PendingChange {
        let state = ChangeState.refused(reason: "The post is on strike.")
        return PendingChange(
            id: id,
            text: "Hello",
            kind: "To Grace Hopper",
            since: Timestamp(Date(timeIntervalSince1970: 60)),
            state: state,
            actions: state.actions
        )
    }

    @Test func `a refused message is given to the outbox before the composer opens`() {
        desk.changes = [refused("1")]
        let dashboard = makeDashboard()
        #expect(dashboard.changes == desk.changes)
        dashboard.edit("1")
        dashboard.tryNow()
        #expect(desk.calls == ["edit 1", "compose", "tryNow"])
    }

    @Test(arguments: [
        (0, nil), (1, "1 more change waits behind these."), (7, "7 more changes wait behind these."),
    ])
    func `changes that are not in the list are counted`(count: Int, sentence: String?) {
        desk.moreChanges = count
        #expect(makeDashboard().moreChanges == sentence)
    }

    @Test func `decisions run one at a time, and a problem stays until the next decision`()
        async
    {
        let dashboard = makeDashboard()
        desk.refusal = DisplayError("It is being sent.")
        dashboard.sendAgain("1")
        dashboard.discard("1")
        #expect(dashboard.isBusy)
        await settle(dashboard)
        #expect(desk.calls == ["sendAgain 1"])
        #expect(dashboard.decisionProblem == "It is being sent.")
        desk.refusal = nil
        dashboard.discard("1")
        #expect(dashboard.decisionProblem == nil)
        await settle(dashboard)
        #expect(desk.calls == ["sendAgain 1", "discard 1"])
        #expect(dashboard.decisionProblem == nil)
    }
}
