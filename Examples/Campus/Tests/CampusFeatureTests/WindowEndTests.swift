import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import Screens
import Testing

@testable import CampusAssembly

/// Tests that an ended window leaves no objects behind.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct WindowEndTests {
    /// Weak references to the objects of a window.
    private struct Remains {
        weak var motherboard: Motherboard?
        weak var navigator: ScreenNavigator?
        weak var screen: (any Screen)?
        /// The account, which the modules inside the session hold.
        weak var account: FakeAccount?

        var isGone: Bool {
            motherboard == nil && navigator == nil && screen == nil && account == nil
        }
    }

    private let server = FakeServer()

    /// Opens a window at a path, waits for its screen, runs `act`, and ends the window.
    private func open(
        _ path: String,
        _ title: String,
        thenDo act: (ScreenNavigator) async -> Void = { _ in }
    ) async -> Remains {
        let (motherboard, navigator) = (Motherboard.onMain(), ScreenNavigator.onMain(hasTransitions: false))
        CampusModules(navigator: navigator, service: FakeService(server: server)).install(on: motherboard)
        motherboard.open(path)
        while navigator.top?.screen.title != title || navigator.top?.screen.isBusy != false { await Task.yield() }
        await act(navigator)
        let remains = Remains(
            motherboard: motherboard,
            navigator: navigator,
            screen: navigator.top?.screen,
            account: server.account
        )
        motherboard.complete()
        navigator.close()
        return remains
    }

    /// Waits until the objects are gone or the test is cancelled, and counts the remaining windows.
    private func count(_ remains: [Remains]) async -> Int {
        while remains.contains(where: { !$0.isGone }), !Task.isCancelled { await Task.yield() }
        return remains.count { !$0.isGone }
    }

    @Test(arguments: [("/", "Dashboard"), ("/course/abc123", "Engines")])
    func `after a thousand windows have ended, no objects are left`(path: String, title: String) async {
        server.user = "ada"
        var remains: [Remains] = []
        for _ in 0..<1_000 { remains.append(await open(path, title)) }
        #expect(await count(remains) == 0)
    }

    @Test func `if a window ends before the response to its change, no objects are left`() async {
        server.user = "ada"
        let response = AsyncLatch()
        server.changeLatch = response
        let remains = await open("/course/abc123", "Engines") { navigator in
            navigator.top?.screen.handle(ScreenEvent(name: "tick", fields: ["todo": "0"]))
            while server.changeKeys.isEmpty { await Task.yield() }
        }
        response.open()
        #expect(await count([remains]) == 0)
    }
}
