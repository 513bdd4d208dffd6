#if canImport(SwiftUI)
    import BackplaneFeatures
    import CampusModels
    import Foundation
    import ScreensSwiftUI
    public import SettingsModels
    public import SwiftUI

    /// The settings in SwiftUI.
    public struct SettingsView: View {
        private let settings: SettingsModel

        /// Creates a view of these settings.
        public init(_ settings: SettingsModel) {
            self.settings = settings
        }

        /// The view of the settings.
        public var body: some View {
            List {
                user
                sessions
            }
            .navigationTitle("Settings")
        }

        private var user: some View {
            LoadSection("You", settings.interactor.user.state) { user in
                TwoLines(user.name, Text(user.email))
                Button(settings.presenter.isSyncing ? "Syncing …" : "Sync") { settings.interactor.sync() }
                    .disabled(settings.presenter.isSyncing)
                if settings.presenter.isSynced {
                    Text("Synced with the campus server.").foregroundStyle(.secondary)
                }
            } retry: {
                settings.interactor.retry(.user)
            }
        }

        private var sessions: some View {
            LoadSection("Where you are signed in", settings.interactor.sessions.state) { sessions in
                if let problem = settings.presenter.problem { ProblemLabel(problem) }
                ForEach(sessions) { row(of: $0) }
                if settings.presenter.hasOtherSessions {
                    Button("End all others") { settings.interactor.endOtherSessions() }.disabled(
                        settings.interactor.isEnding
                    )
                } else {
                    Text("No other sessions.").foregroundStyle(.secondary)
                }
            } retry: {
                settings.interactor.retry(.sessions)
            }
        }

        private func row(of session: DeviceSession) -> some View {
            let begun = session.begunAt.date.formatted()
            let refreshed = session.refreshedAt.date.formatted()
            return VStack(alignment: .leading) {
                TwoLines(settings.presenter.label(of: session), Text("Signed in \(begun), last seen \(refreshed)"))
                if session.isCurrent { Text("This session").font(.footnote) }
                Button(session.isCurrent ? "Sign out" : "End", role: .destructive) {
                    settings.interactor.end(session.id)
                }
                .disabled(settings.interactor.isEnding)
                .buttonStyle(.bordered)
            }
        }
    }
#endif
