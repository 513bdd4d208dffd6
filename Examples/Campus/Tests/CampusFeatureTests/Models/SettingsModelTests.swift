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
    private final class Server: SettingsActions, SettingsDelegate {
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

        func signOut() { calls.append("signOut") }
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
    private var interactor: SettingsInteractor { settings.interactor }

    init() {
        let performer = ActionPerformer { work in Task { try? await work() } }
        settings = SettingsModel(SettingsInteractor(actions: server, performer: performer, delegate: server))
    }

    private func load() async {
        interactor.user.load(on: MainActor.shared)
        interactor.sessions.load(on: MainActor.shared)
        await settle()
    }

    private func settle() async {
        while settings.isBusy, !Task.isCancelled { await Task.yield() }
    }

    @Test func `the known user is shown first, and the server's user after a sync`() async {
        await load()
        #expect(interactor.user.value?.name == "Ada")
        #expect(!settings.presenter.isSyncing && !settings.presenter.isSynced)
        interactor.sync()
        #expect(settings.presenter.isSyncing && !settings.presenter.isSynced)
        await settle()
        #expect(interactor.user.value?.name == "Ada King")
        #expect(!settings.presenter.isSyncing && settings.presenter.isSynced)
    }

    @Test func `after a failed sync, only a successful retry counts as a success`() async {
        await load()
        server.isBroken = true
        interactor.sync()
        await settle()
        #expect(!settings.presenter.isSyncing && !settings.presenter.isSynced)
        server.isBroken = false
        interactor.user.retry()
        #expect(settings.presenter.isSyncing)
        await settle()
        #expect(settings.presenter.isSynced)
    }

    @Test func `the sessions keep their times, and it is known whether there are other sessions`() async {
        #expect(!settings.presenter.hasOtherSessions)
        await load()
        #expect(settings.presenter.hasOtherSessions)
        #expect(interactor.sessions.value?.first?.begunAt == Timestamp(Date(timeIntervalSince1970: 60)))
        #expect(interactor.sessions.value?.first?.refreshedAt == Timestamp(Date(timeIntervalSince1970: 120)))
        server.ids = ["here"]
        interactor.sessions.reload()
        await settle()
        #expect(!settings.presenter.hasOtherSessions)
    }

    @Test func `sessions are ended one at a time, and then the list is loaded again`() async {
        await load()
        server.ids = ["here"]
        interactor.end("there")
        interactor.end("here")
        interactor.endOtherSessions()
        #expect(interactor.isEnding)
        #expect(settings.isBusy)
        await settle()
        #expect(server.calls == ["end there"])
        #expect(interactor.sessions.value?.map(\.id) == ["here"])
        interactor.endOtherSessions()
        await settle()
        #expect(server.calls == ["end there", "endOtherSessions"])
    }

    @Test func `ending the current session signs out`() async {
        await load()
        interactor.end("here")
        #expect(server.calls == ["signOut"])
        #expect(settings.isBusy)
        interactor.stay()
        #expect(!settings.isBusy)
    }

    @Test func `a session that is not in the list cannot be ended`() async {
        interactor.end("there")
        #expect(server.calls.isEmpty, "no list is loaded")
        await load()
        interactor.end("nowhere")
        #expect(server.calls.isEmpty)
        #expect(!settings.isBusy)
    }

    @Test func `a failure is kept until the next attempt, and the list is loaded again`() async {
        await load()
        server.error = DisplayError("There is no such session.")
        server.ids = ["here", "elsewhere"]
        interactor.end("there")
        await settle()
        #expect(settings.presenter.problem == "There is no such session.")
        #expect(interactor.sessions.value?.map(\.id) == ["here", "elsewhere"])
        server.error = Silent()
        interactor.end("elsewhere")
        #expect(settings.presenter.problem == nil)
        await settle()
        #expect(server.calls == ["end there", "end elsewhere"])
        #expect(settings.presenter.problem == "The session could not be ended. Try again.", "the error has no message")
    }
}
