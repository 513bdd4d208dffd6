import Backplane
import BackplaneTesting
import CampusDrafts
import LoginInterface
import Screens

@testable import CampusApp

/// Campus as the app assembles it, without host, browser or network: a ``FakeServer`` answers.
@MainActor
final class HeadlessCampus {
    let motherboard = Motherboard.onMain()
    let navigation = Navigation()
    let server = FakeServer()
    /// What passes before something is sent again.
    let clock = ManualClock()
    /// Called with the motherboard inside of each session, as flows are heard there alone.
    var onSession: (Motherboard) -> Void = { _ in }

    /// - Parameter drafts: keeps drafts.
    init(drafts: DraftStore = DraftStore()) {
        let service = FakeService(server: server)
        let modules = CampusModules(navigation: navigation, service: service, drafts: drafts, clock: clock)
        modules.install(on: motherboard)
        motherboard.register(.session, replacing: true) { [weak self] slot, account in
            let session = SessionBoard(slot: slot, account: account, modules: modules.modules(for: account))
            self?.onSession(slot.inner)
            return session
        }
    }

    /// Enters the session of the user, as a host does before it opens a link.
    func prepare() {
        guard !motherboard.isLive(.session), let account = server.currentAccount() else { return }
        motherboard.activate(.session, with: account)
    }

    /// The addresses of what is shown, the root first.
    var paths: [String] { navigation.stack.map(\.screen.path) }

    /// The title of what is on top, if anything is.
    var title: String? { navigation.top?.title }

    /// Lets what has been started on the main actor run until `condition` holds, or until the test is given up.
    func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    /// Waits until a screen of that title is on top and has loaded.
    func shows(_ title: String) async {
        await until { self.title == title && navigation.top?.isBusy == false }
    }

    /// Does something on the screen on top.
    func press(_ event: String, _ fields: [String: String] = [:]) {
        navigation.top?.handle(ScreenEvent(name: event, fields: fields))
    }

    func logIn(password: String = "right") async {
        await shows("Log in")
        press("log-in", ["email": "ada@campus.example", "password": password])
    }

    /// What there is to draw of a section on top, as text.
    func section(_ id: String) -> String {
        navigation.top?.sections.first { $0.id == id }.map { "\($0.model())" } ?? ""
    }
}
