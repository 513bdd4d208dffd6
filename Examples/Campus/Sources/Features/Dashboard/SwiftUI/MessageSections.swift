#if canImport(SwiftUI)
    import CampusModels
    import DashboardModels
    import Foundation
    import Screens
    import ScreensSwiftUI
    import SwiftUI

    /// The sent messages, with the progress of new ones, and the changes that the server has not
    /// confirmed.
    struct MessageSections: View {
        let dashboard: DashboardModel

        var body: some View {
            LoadSection("Messages you sent", dashboard.shownMessages) { messages in
                ForEach(messages) { sent($0) }
                if let noMessages = dashboard.noMessages { Text(noMessages).foregroundStyle(.secondary) }
                older
            } retry: {
                dashboard.retry(.messages)
            }
            if !dashboard.changes.isEmpty {
                Section("Changes that are not confirmed") {
                    if let problem = dashboard.decisionProblem { ProblemLabel(problem) }
                    ForEach(dashboard.changes) { pending($0) }
                    if let more = dashboard.moreChanges { Text(more).foregroundStyle(.secondary) }
                }
            }
        }

        private func sent(_ message: Message) -> some View {
            VStack(alignment: .leading) {
                TwoLines(message.text, Text("To \(message.recipients.names)"))
                if let progress = dashboard.progress(of: message) { Text(progress.sentence).font(.footnote) }
            }
        }

        private func pending(_ change: PendingChange) -> some View {
            VStack(alignment: .leading) {
                TwoLines(change.text, Text("\(change.kind) · since \(change.since.date.formatted())"))
                if change.state.needsDecision { ProblemLabel(change.state.text) } else { Text(change.state.text) }
                HStack {
                    if change.actions.contains(.tryNow) { Button("Try now") { dashboard.tryNow() } }
                    if change.actions.contains(.edit) { Button("Edit") { dashboard.edit(change.id) } }
                    if change.actions.contains(.sendAgain) { Button("Send again") { dashboard.sendAgain(change.id) } }
                    if change.actions.contains(.discard) {
                        Button("Discard", role: .destructive) { dashboard.discard(change.id) }
                    }
                }
                // In a row of a list, only buttons with a style react separately.
                .buttonStyle(.bordered)
            }
        }

        @ViewBuilder private var older: some View {
            switch dashboard.older {
            case .available:
                Button("Show older messages") { dashboard.showOlder() }
            case .loading:
                ProgressView()
            case .failed(let reason):
                ProblemLabel(reason)
                Button("Try again") { dashboard.retry(.messages) }
            case nil:
                EmptyView()
            }
        }
    }
#endif
