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
        /// The error of attempts to end sessions.
        var error: (any Error)?
        var calls: [String] = []

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

        func endSession(_ id: DeviceSession.ID) throws { try perform("end \(id)") }
        func endOtherSessions() throws { try perform("endOtherSessions") }

        private func perform(_ call: String) throws {
            calls.append(call)
            if let error { throw error }
        }
    }

    private struct Silent: Error {}

    private let server = Server()
    private let settings: SettingsModel

    init() {
        let server = server
        settings = SettingsModel(
            actions: server,
            performer: ActionPerformer { work in Task { try? await work() } },
            onSignOut: { server.calls.append("signOut") }
        )
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

    @Test func `after a failed sync, only a successful retry counts as a success`() async {
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

    @Test func `the sessions keep their times, and it is known whether there are other sessions`() async {
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

    @Test func `sessions are ended one at a time, and then the list is loaded again`() async {
        await load()
        server.ids = ["here"]
        settings.end("there")
        settings.end("here")
        settings.endOtherSessions()
        #expect(settings.isEnding)
        #expect(settings.isBusy)
        await settle()
        #expect(server.calls == ["end there"])
        #expect(settings.sessions.value?.map(\.id) == ["here"])
        settings.endOtherSessions()
        await settle()
        #expect(server.calls == ["end there", "endOtherSessions"])
    }

    @Test func `ending the current session signs out`() async {
        await load()
        settings.end("here")
        #expect(server.calls == ["signOut"])
        #expect(settings.isBusy)
        settings.stay()
        #expect(!settings.isBusy)
    }

    @Test func `a session that is not in the list cannot be ended`() async {
        settings.end("there")
        #expect(server.calls.isEmpty, "no list is loaded")
        await load()
        settings.end("nowhere")
        #expect(server.calls.isEmpty)
        #expect(!settings.isBusy)
    }

    @Test func `a failure is kept until the next attempt, and the list is loaded again`() async {
        await load()
        server.error = DisplayError("There is no such session.")
        server.ids = ["here", "elsewhere"]
        settings.end("there")
        await settle()
        #expect(settings.problem == "There is no such session.")
        #expect(settings.sessions.value?.map(\.id) == ["here", "elsewhere"])
        server.error = Silent()
        settings.end("elsewhere")
        #expect(settings.problem == nil)
        await settle()
        #expect(server.calls == ["end there", "end elsewhere"])
        #expect(settings.problem == "The session could not be ended. Try again.", "the error has no message")
    }
}
