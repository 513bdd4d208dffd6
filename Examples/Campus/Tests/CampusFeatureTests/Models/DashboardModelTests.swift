import BackplaneFeatures
import CampusModels
import DashboardInterface
import DashboardModels
import Screens
import Testing

/// The model of the dashboard, without a host.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DashboardModelTests {
    /// The board, the outbox and the server of a dashboard.
    private final class Desk: DashboardDelegate, DashboardOutbox {
        let messages = RecordStore<Sole, [Message]>(isRejection: DisplayError.isRejection, retries: .never)
        var drafts: [Message.ID: Draft] = [:]
        /// The error of the courses, or of a message that is sent.
        var error: DisplayError?
        var calls: [String] = []

        func open(_ course: Course.ID) { calls.append("open \(course)") }
        func compose() { calls.append("compose") }
        func refresh() { calls.append("refresh") }
        func logOut() { calls.append("logOut") }

        func draft(_ id: Message.ID) -> Draft? { drafts[id] }
        func edit(_ id: Message.ID) { calls.append("edit \(id)") }
        func discard(_ id: Message.ID) { calls.append("discard \(id)") }

        func check() throws {
            if let error { throw error }
        }
    }

    private let desk = Desk()
    private let message = Message(id: "new", recipients: [], text: "Hello")

    private func makeDashboard(tiles: @escaping () -> [Tile] = { [] }) -> DashboardModel {
        let desk = desk
        let loading = DashboardLoading(
            user: { User(id: "ada", name: "Ada", email: "ada@campus.example") },
            courses: {
                try desk.check()
                return [Course(id: "abc123", title: "Engines", summary: "")]
            },
            messages: { [] }
        )
        return DashboardModel(loading: loading, outbox: desk, delegate: desk, tiles: tiles)
    }

    private func load(_ dashboard: DashboardModel) async {
        dashboard.load(on: MainActor.shared)
        await settle(dashboard)
    }

    private func settle(_ dashboard: DashboardModel) async {
        while dashboard.isBusy, !Task.isCancelled { await Task.yield() }
    }

    /// Sends a message as an outbox does.
    private func send(on dashboard: DashboardModel) throws {
        let (desk, message) = (desk, message)
        let mutation = Mutation<[Message]>(label: message.id.rawValue) { messages in
            messages.insert(message, at: 0)
        } send: { _ in
            try desk.check()
        }
        try dashboard.messages.enqueue(mutation)
    }

    @Test func `a part that fails to load leaves the others, and can be loaded again`() async {
        let failure = DisplayError("No answer.")
        desk.error = failure
        let dashboard = makeDashboard()
        await load(dashboard)
        #expect(dashboard.user.value?.name == "Ada")
        #expect(dashboard.courses.state.error.flatMap { DisplayError(explaining: $0) } == failure)
        desk.error = nil
        dashboard.courses.retry()
        #expect(dashboard.isBusy)
        await settle(dashboard)
        #expect(dashboard.courses.value?.map(\.title) == ["Engines"])
    }

    @Test func `the user's choices go to the board, and a log-out keeps the dashboard busy`() {
        let dashboard = makeDashboard()
        dashboard.open("abc123")
        dashboard.compose()
        dashboard.refresh()
        #expect(!dashboard.isBusy)
        dashboard.logOut()
        #expect(dashboard.isBusy)
        #expect(desk.calls == ["open abc123", "compose", "refresh", "logOut"])
    }

    @Test func `the dashboard has no week until the board shows one`() {
        let dashboard = makeDashboard()
        #expect(dashboard.week == nil)
        let week = Dashboard.Week(appointments: 2, openTodos: 3)
        dashboard.show(week)
        #expect(dashboard.week == week)
    }

    @Test func `the tiles are always the current ones`() {
        var tiles: [Tile] = []
        let dashboard = makeDashboard { tiles }
        #expect(dashboard.tiles.isEmpty)
        tiles = [Tile("Campus shop", path: "/catalog", text: "Cards.")]
        #expect(dashboard.tiles == tiles)
    }

    @Test func `a message is under way, then unconfirmed, and confirmed after it is sent again`() async throws {
        let dashboard = makeDashboard()
        await load(dashboard)
        #expect(dashboard.progress(of: message) == nil)
        desk.error = DisplayError("No answer.")
        try send(on: dashboard)
        #expect(dashboard.progress(of: message) == .underWay)
        #expect(dashboard.isBusy)
        await settle(dashboard)
        #expect(dashboard.progress(of: message) == .unconfirmed)
        desk.error = nil
        dashboard.resend()
        #expect(dashboard.progress(of: message) == .underWay)
        await settle(dashboard)
        #expect(dashboard.progress(of: message) == nil)
        #expect(dashboard.unsent.isEmpty)
    }

    @Test func `a rejected message with a draft is unsent, and the reason is kept`() async throws {
        let dashboard = makeDashboard()
        await load(dashboard)
        let refusal = DisplayError("The post is on strike.", isRejection: true)
        desk.error = refusal
        try send(on: dashboard)
        await settle(dashboard)
        #expect(dashboard.progress(of: message) == nil)
        #expect(dashboard.unsent.isEmpty, "there is no draft of the message")
        desk.drafts["new"] = Draft(id: "new", text: "Hello")
        let unsent = try #require(dashboard.unsent.first)
        #expect(dashboard.unsent.count == 1)
        #expect(unsent.id == "new")
        #expect(unsent.draft.text == "Hello")
        #expect(unsent.error.flatMap { DisplayError(explaining: $0) } == refusal)
    }

    @Test func `an unsent message is given to the outbox before the composer opens, or discarded`() {
        let dashboard = makeDashboard()
        dashboard.edit("new")
        #expect(desk.calls == ["edit new", "compose"])
        dashboard.discard("new")
        #expect(desk.calls == ["edit new", "compose", "discard new"])
    }
}
