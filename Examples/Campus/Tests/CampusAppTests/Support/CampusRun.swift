import Backplane
import BackplaneNavigation
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import CampusAPI
import CampusDrafts
import CampusModels
import ComposerModels
import DashboardModels
import Foundation
import LoginModels
import Screens
import Testing

@testable import CampusApp
@testable import CampusAssembly

/// A run of the app for Ada, with one window, without a host, and over the real API.
///
/// The runs of a test have the same tokens and the same file of changes. Nothing stops a run: when
/// it is released, it is gone as after a crash.
@MainActor
final class CampusRun {
    let navigator = ScreenNavigator.onMain(hasTransitions: false)
    private let motherboard = Motherboard.onMain()
    private let session: CampusSession

    /// Starts the app, and logs Ada in unless the vault has her tokens.
    ///
    /// - Parameters:
    ///   - api: the root of the API's URLs.
    ///   - vault: the tokens.
    ///   - outbox: the file of changes; without it, changes exist only in memory.
    ///   - drafts: the store of drafts.
    ///   - log: receives the lines of the log.
    /// - Throws: an error if the file cannot be used.
    init(
        _ api: URL,
        _ vault: any TokenVault,
        outbox: URL?,
        drafts: DraftStore = DraftStore(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        session = CampusSession(
            service: try CampusApp.service(at: api, over: transport),
            vault: vault,
            outbox: try outbox.map { try Outbox.campus(file: $0) },
            log: log
        )
        CampusModules(navigator: navigator, service: session, drafts: drafts).install(on: motherboard)
        await CampusModules.enterSession(of: session, on: motherboard)
        motherboard.open("/")
        await waitUntil { navigator.top != nil }
        if navigator.top?.screen is LoginModel { await signIn() }
    }

    /// Opens another window of a run.
    init(beside other: CampusRun) async {
        session = other.session
        CampusModules(navigator: navigator, service: session).install(on: motherboard)
        await CampusModules.enterSession(of: session, on: motherboard)
        motherboard.open("/")
        await waitUntil { navigator.top != nil }
    }

    /// Returns when the changes that were made before the call are in the file.
    func finishSaving() async { await session.finishSaving() }

    /// Logs Ada in with the form, as soon as the form is shown.
    func signIn() async {
        await waitUntil { navigator.top?.screen is LoginModel }
        (navigator.top?.screen as? LoginModel)?
            .signIn(email: DemoUsers.ada.email, password: DemoUsers.ada.password)
        await waitUntil { navigator.top?.screen is DashboardModel }
    }

    /// Opens a page, and returns its screen when it has loaded.
    func open<Page: Screens.Screen>(_ path: String, as type: Page.Type = Page.self) async throws -> Page {
        if !navigator.back(to: path) { motherboard.open(path) }
        return try await page()
    }

    /// Returns the top screen when it is of this type and has loaded.
    func page<Page: Screens.Screen>(as type: Page.Type = Page.self) async throws -> Page {
        await waitUntil { (navigator.top?.screen as? Page)?.isBusy == false }
        return try #require(navigator.top?.screen as? Page)
    }

    /// Writes a message to Charles Babbage, and returns the composer before the message is sent.
    func compose(_ text: String) async throws -> ComposerModel {
        let composer: ComposerModel = try await open("/compose")
        composer.write(text)
        composer.addRecipients()
        let picker: RecipientPickerModel = try await page()
        picker.choose(["tutor-babbage"])
        return try await page()
    }

    /// Chooses the button of a dialog with this label, as soon as the dialog is shown.
    func answer(_ label: String) async {
        await waitUntil { navigator.topLayer.dialog != nil }
        guard let dialog = navigator.topLayer.dialog,
            let button = dialog.buttons.first(where: { $0.label == label })
        else { return }
        dialog.choose(button.id)
    }

    /// Closes the window, so that nothing keeps the run alive.
    func close() {
        motherboard.complete()
        navigator.close()
    }
}

/// A change in a file of changes.
struct SavedChange: Decodable, Equatable {
    let kind: String
    let state: String
}

extension Outbox {
    /// The changes in the file, oldest first.
    var saved: [SavedChange] {
        get async throws { try JSONDecoder().decode([SavedChange].self, from: try await export()) }
    }

    /// Waits until the file has no changes, or the test is cancelled.
    func drained() async throws {
        while try await !saved.isEmpty, !Task.isCancelled { await Task.yield() }
    }
}
