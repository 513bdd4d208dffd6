import Backplane
import BackplaneNavigation
import CampusModels
import CampusTestTools
import Foundation
import Screens
import SettingsFeature
import SettingsInterface
import SettingsModels
import Testing
import WebHost

/// M11: tests of the settings with a fake implementation of their actions.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SettingsActionTests {
    private final class FakeActions: SettingsActions {
        var performed: [String] = []
        var error: DisplayError?

        func knownUser() throws -> User { try perform("knownUser", User(id: "ada", name: "Ada", email: "")) }
        func user() throws -> User { try perform("user", User(id: "ada", name: "Ada King", email: "")) }
        func endSession(_ id: DeviceSession.ID) throws { try perform("endSession \(id)", ()) }
        func endOtherSessions() throws { try perform("endOtherSessions", ()) }

        func sessions() throws -> [DeviceSession] {
            let moment = Timestamp(Date(timeIntervalSince1970: 0))
            let sessions = ["here", "there"].map {
                DeviceSession(
                    id: DeviceSession.ID(rawValue: $0),
                    label: nil,
                    begunAt: moment,
                    refreshedAt: moment,
                    isCurrent: $0 == "here"
                )
            }
            return try perform("sessions", sessions)
        }

        private func perform<Value>(_ action: String, _ value: Value) throws -> Value {
            performed.append(action)
            if let error { throw error }
            return value
        }
    }

    private let actions = FakeActions()
    private let motherboard = Motherboard.onMain()
    private let navigator = ScreenNavigator.onMain(hasTransitions: false)

    private func open() async {
        motherboard.install(SettingsModule(navigator: navigator, actions: actions))
        motherboard.activate(Settings.id)
        await settle()
    }

    private func press(_ event: String, _ fields: [String: String] = [:]) async {
        actions.performed = []
        navigator.top?.screen.handle(ScreenEvent(name: event, fields: fields))
        await settle()
    }

    private func settle() async {
        while navigator.top?.screen.isBusy == true, !Task.isCancelled { await Task.yield() }
    }

    private var shown: String { navigator.top?.screen.sections.map { "\($0.model())" }.joined() ?? "" }

    @Test(.rule("M11")) func `the settings show the known user first and the server's user after a sync`() async {
        await open()
        #expect(Set(actions.performed) == ["knownUser", "sessions"])
        #expect(shown.contains(#""Ada""#))
        await press("sync")
        #expect(actions.performed == ["user"])
        #expect(shown.contains(#""Ada King""#))
    }

    @Test(
        .rule("M11"),
        arguments: [("end", ["session": "there"], "endSession there"), ("end-others", [:], "endOtherSessions")]
    )
    func `a button performs its action and reloads the list`(
        button: String,
        fields: [String: String],
        action: String
    ) async {
        await open()
        await press(button, fields)
        #expect(actions.performed == [action, "sessions"])
    }

    @Test(.rule("M11")) func `a failed action shows the reason`() async {
        await open()
        actions.error = DisplayError("Not now.")
        await press("end", ["session": "there"])
        #expect(shown.contains("Not now."))
    }
}
