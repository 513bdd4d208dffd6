import BackplaneFeatures
import CampusModels
import Foundation
import Screens
import SettingsModels
import Testing

/// The model of the settings, without a host.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SettingsModelTests {
    private final class Server: SettingsActions {
        var ids: [DeviceSession.ID] = ["here", "there"]
        var isBroken = false

        func knownUser() -> User { User(id: "ada", name: "Ada", email: "") }
        func user() throws -> User {
            if isBroken { throw DisplayError("No answer.") }
            return User(id: "ada", name: "Ada King", email: "")
        }

        func sessions() -> [DeviceSession] {
            ids.map { id in
                DeviceSession(
                    id: id,
                    label: nil,
                    begunAt: Timestamp(Date(timeIntervalSince1970: 60)),
                    refreshedAt: Timestamp(Date(timeIntervalSince1970: 120)),
                    isCurrent: id == "here"
                )
            }
        }

        // The board ends sessions, and the model only asks it to.
        func endSession(_ id: DeviceSession.ID) throws { throw DisplayError("Not by the model.") }
        func endOtherSessions() throws { throw DisplayError("Not by the model.") }
    }

    /// The board of the settings.
    private final class Desk: SettingsDelegate {
        var calls: [String] = []

        func end(_ session: DeviceSession.ID) { calls.append("end \(session)") }
        func endOtherSessions() { calls.append("endOtherSessions") }
        func logOut() { calls.append("logOut") }
    }

    private let server = Server()
    private let desk = Desk()
    private let settings: SettingsModel

    init() {
        settings = SettingsModel(actions: server)
        settings.delegate = desk
    }

    private func load() async {
        settings.load(on: MainActor.shared)
        await settle()
    }

    private func settle() async {
        while settings.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `the known user is shown first, and the server's user after a sync`() async {
        await load()
        #expect(settings.user.value?.name == "Ada")
        #expect(!settings.isSyncing && !settings.isSynced)
        settings.sync()
        #expect(settings.isSyncing && !settings.isSynced)
        await settle()
        #expect(settings.user.value?.name == "Ada King")
        #expect(!settings.isSyncing && settings.isSynced)
    }

    @Test func `a sync that fails has not succeeded until its retry has`() async {
        await load()
        server.isBroken = true
        settings.sync()
        await settle()
        #expect(!settings.isSyncing && !settings.isSynced)
        server.isBroken = false
        settings.user.retry()
        #expect(settings.isSyncing)
        await settle()
        #expect(settings.isSynced)
    }

    @Test func `the sessions keep their times, and tell whether there are others`() async {
        #expect(!settings.hasOtherSessions)
        await load()
        #expect(settings.hasOtherSessions)
        #expect(settings.sessions.value?.first?.begunAt == Timestamp(Date(timeIntervalSince1970: 60)))
        #expect(settings.sessions.value?.first?.refreshedAt == Timestamp(Date(timeIntervalSince1970: 120)))
        server.ids = ["here"]
        settings.sessions.reload()
        await settle()
        #expect(!settings.hasOtherSessions)
    }

    @Test func `the board ends one session at a time, and the rest is loaded after that`() async {
        await load()
        settings.end("there")
        settings.end("here")
        settings.endOtherSessions()
        #expect(desk.calls == ["end there"])
        #expect(settings.isEnding)
        #expect(settings.isBusy)
        server.ids = ["here"]
        settings.didEndSessions()
        await settle()
        #expect(settings.sessions.value?.map(\.id) == ["here"])
        settings.endOtherSessions()
        #expect(desk.calls == ["end there", "endOtherSessions"])
    }

    @Test func `ending the current session logs out`() async {
        await load()
        settings.end("here")
        #expect(desk.calls == ["logOut"])
        #expect(settings.isBusy)
    }

    @Test func `a session that is not in the list cannot be ended`() async {
        settings.end("there")
        #expect(desk.calls.isEmpty, "no list is loaded")
        await load()
        settings.end("nowhere")
        #expect(desk.calls.isEmpty)
        #expect(!settings.isBusy)
    }

    @Test func `a failure is kept until the next attempt, and the list is loaded again`() async {
        await load()
        settings.end("there")
        server.ids = ["here", "elsewhere"]
        settings.fail(with: DisplayError("There is no such session."))
        await settle()
        #expect(settings.problem == "There is no such session.")
        #expect(settings.sessions.value?.map(\.id) == ["here", "elsewhere"])
        settings.end("elsewhere")
        #expect(settings.problem == nil)
        #expect(desk.calls == ["end there", "end elsewhere"])
        settings.fail(with: CancellationError())
        #expect(settings.problem == "The session could not be ended. Try again.", "the error has no message")
    }
}
