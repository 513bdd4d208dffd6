import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusModels
import CourseInterface
import CourseModels
import Screens

@testable import CampusAssembly

/// A window that shows a course of Ada, assembled as in the app, over the real API and without a
/// host.
///
/// At first, the first of its three to-dos is done.
@MainActor
final class CourseWindow {
    /// The clock of the delays before resends.
    let clock = ManualClock()
    private let motherboard = Motherboard.onMain()
    private let navigator = ScreenNavigator.onMain(hasTransitions: false)
    /// The account on another device of Ada, which knows only the server.
    private let device: any Account

    private init(of account: any Account, in session: CampusSession, besides device: any Account) {
        self.device = device
        let modules = CampusModules(navigator: navigator, service: session, clock: clock).modules(for: account)
        motherboard.install(modules.course)
        motherboard.activate(CoursePage.id, with: "abc123")
    }

    /// Logs Ada in, and opens the course.
    ///
    /// - Parameters:
    ///   - api: the API.
    ///   - clock: the clock of the time limits of Ada's requests.
    /// - Returns: the window, with a page that has loaded.
    /// - Throws: an error if Ada cannot sign in.
    static func open(_ api: TestAPI, on clock: any Clock<Duration> = ContinuousClock()) async throws -> CourseWindow {
        let session = try api.session(MemoryTokenVault(), on: clock)
        let account = try await session.signIn(with: DemoUsers.ada) {}
        let window = CourseWindow(of: account, in: session, besides: try await api.anotherDevice())
        await waitUntil { window.page?.isBusy == false }
        return window
    }

    /// The page, as soon as it is shown.
    var page: CourseModel? { navigator.top?.screen as? CourseModel }

    /// The changes of to-dos that are not settled, and those that were refused.
    var pending: [PendingMutation] { page?.todos.todos.pending ?? [] }

    /// The shown to-dos: `x` for a ticked to-do, followed by `?` for a change that is not saved.
    var marks: String {
        guard let list = page?.todos, let todos = list.todos.value else { return "" }
        let unsaved = list.unsaved
        return todos.map { ($0.isDone ? "x" : "-") + (unsaved.contains($0.id) ? "?" : "") }.joined(separator: " ")
    }

    /// The reasons of refused changes, as the page shows them.
    var reasons: [String] { ChangeModel(pending)?.refusals.map(\.reason) ?? [] }

    /// The reason why changes wait, as the page shows it; `nil` if none waits.
    var delay: ChangeModel.Delay? { ChangeModel(pending)?.delay }

    func tick(_ todo: Todo.ID) {
        page?.todos.tick(todo)
    }

    /// Ticks or unticks a to-do on the other device.
    func changeElsewhere(_ todo: Todo.ID, isDone: Bool) async throws {
        _ = try await device.change(todo, of: "abc123", to: TodoChange(isDone: isDone), key: IdempotencyKey())
    }

    /// Returns the revisions of the to-dos that the server has.
    func revisions() async throws -> [Int] { try await device.todos(of: "abc123").map(\.rev) }

    /// Waits until a refused change has been undone, and the to-dos have been loaded again.
    func refusal() async {
        await waitUntil { !reasons.isEmpty && page?.isBusy == false }
    }

    /// Sends the unconfirmed changes again, and waits until the server has confirmed them.
    func resend() async {
        clock.advance(by: .seconds(30))
        await waitUntil { pending.isEmpty }
    }
}
