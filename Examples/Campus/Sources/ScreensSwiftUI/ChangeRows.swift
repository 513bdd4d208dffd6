#if canImport(SwiftUI)
    public import BackplaneFeatures
    import Screens
    public import SwiftUI

    /// The rows of a list for changes that the server has rejected, or that wait.
    ///
    /// Without such changes, there are no rows.
    public struct ChangeRows: View {
        private let changes: ChangeModel?
        private let dismiss: (String) -> Void
        private let resend: () -> Void

        /// Creates the rows.
        ///
        /// - Parameters:
        ///   - pending: the changes without an outcome, and the failed ones.
        ///   - dismiss: removes the rejected change with this ID, after the user has read the
        ///     reason.
        ///   - resend: sends the waiting changes now.
        public init(
            _ pending: [PendingMutation],
            dismiss: @escaping (String) -> Void,
            resend: @escaping () -> Void
        ) {
            changes = ChangeModel(pending)
            self.dismiss = dismiss
            self.resend = resend
        }

        /// The rows.
        public var body: some View {
            if let changes {
                ForEach(changes.refusals, id: \.id) { refusal in
                    ProblemLabel(refusal.reason)
                    Button("Dismiss") { dismiss(refusal.id) }
                }
                if let delay = changes.delay {
                    Text(delay.text)
                    if delay.canTryNow { Button("Try now") { resend() } }
                }
            }
        }
    }
#endif
