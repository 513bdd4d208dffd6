import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusDrafts
import DashboardModels
import LoginInterface
import Screens
import WebHost

@testable import CampusAssembly

/// Campus as the app assembles it, over a ``FakeServer`` and without host, browser or network.
@MainActor
final class HeadlessCampus {
    let motherboard = Motherboard.onMain()
    let navigator = ScreenNavigator.onMain(hasTransitions: false)
    let server: FakeServer
    /// The clock of the delays before resends.
    let clock = ManualClock()
    /// The nested motherboard of the last session, while it exists.
    private(set) weak var inside: Motherboard?
    /// A closure that gets the nested motherboard of each session, to register flows there.
    var onSession: (Motherboard) -> Void = { _ in }

    /// The events for statistics, as text.
    private(set) var events: [String] = []

    /// Creates Campus with one window.
    ///
    /// - Parameters:
    ///   - drafts: the store of the drafts.
    ///   - server: the server, which other windows may have, too.
    init(drafts: DraftStore = DraftStore(), server: FakeServer? = nil) {
        let server = server ?? FakeServer()
        self.server = server
        let service = FakeService(server: server)
        let modules = CampusModules(
            navigator: navigator,
            service: service,
            drafts: drafts,
            clock: clock,
            onAnalyticsEvent: { [weak self] in self?.events.append("\($0)") }
        )
        modules.install(on: motherboard)
        motherboard.register(replacing: true) { [weak self] slot, account in
            let session = SessionBoard(slot: slot, modules: modules.modules(for: account))
            self?.inside = slot.inner
            self?.onSession(slot.inner)
            return session
        }
    }

    /// Activates the session of the user, as a host does before it opens a link.
    func prepare() {
        guard !motherboard.isLive(Session.id), let account = server.currentAccount() else { return }
        motherboard.activate(Session.id, with: account)
    }

    /// The paths of the screens, the root first.
    var paths: [String] { navigator.paths }

    /// The open dialog, or `nil` without a dialog.
    var dialog: PresentedDialog? { navigator.topLayer.dialog }

    /// The title of the open dialog or of the top screen, or `nil` without a screen.
    var title: String? { dialog?.title ?? navigator.top?.screen.title }

    /// Yields the main actor until `condition` holds, or the test is cancelled.
    func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    /// Waits until a dialog with that title is open, or a screen with that title is on top and has
    /// loaded.
    func shows(_ title: String) async {
        await until { self.title == title && (dialog != nil || navigator.top?.screen.isBusy == false) }
    }

    /// Chooses the button of the open dialog with this label.
    func choose(_ label: String) {
        if let button = dialog?.buttons.first(where: { $0.label == label }) { dialog?.choose(button.id) }
    }

    /// Sends an event to the top screen.
    func press(_ event: String, _ fields: [String: String] = [:]) {
        navigator.top?.screen.handle(ScreenEvent(name: event, fields: fields))
    }

    /// Opens the composer from the dashboard.
    func compose() {
        (navigator.top?.screen as? DashboardModel)?.compose()
    }

    func signIn(password: String = "right") async {
        await shows("Sign in")
        press("sign-in", ["email": "ada@campus.example", "password": password])
    }

    /// Returns the model of a section of the top screen as text.
    func section(_ id: String) -> String {
        navigator.top?.screen.sections.first { $0.id == id }.map { "\($0.model())" } ?? ""
    }
}
