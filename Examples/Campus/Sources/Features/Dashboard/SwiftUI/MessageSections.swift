#if canImport(SwiftUI)
    import CampusModels
    import DashboardModels
    import ScreensSwiftUI
    import SwiftUI

    /// The sent messages, with the progress of new ones, and the changes that the server does not
    /// have.
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
            if let onTheWay = dashboard.onTheWay {
                Section { Text(onTheWay.text).foregroundStyle(.secondary) }
            }
            if !dashboard.unsent.isEmpty {
                Section("Not sent") {
                    if let problem = dashboard.decisionProblem { ProblemLabel(problem) }
                    ForEach(dashboard.unsent) { unsent($0) }
                }
            }
        }

        private func sent(_ message: Message) -> some View {
            VStack(alignment: .leading) {
                TwoLines(message.text, Text("To \(message.recipients.names)"))
                switch dashboard.progress(of: message) {
                case .underWay:
                    Text("Being sent").font(.footnote)
                case .unconfirmed:
                    Text("Not confirmed yet").font(.footnote)
                    Button("Send again now") { dashboard.resend() }.buttonStyle(.bordered)
                case nil:
                    EmptyView()
                }
            }
        }

        private func unsent(_ change: UnsentChange) -> some View {
            VStack(alignment: .leading) {
                TwoLines(change.text, Text(change.kind))
                ProblemLabel(change.reason)
                HStack {
                    if change.canBeEdited { Button("Edit") { dashboard.edit(change.id) } }
                    if change.canBeRetried { Button("Send again") { dashboard.retry(change.id) } }
                    Button("Discard", role: .destructive) { dashboard.discard(change.id) }
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
