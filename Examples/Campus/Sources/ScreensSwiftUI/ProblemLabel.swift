#if canImport(SwiftUI)
    public import SwiftUI

    /// The reason why something failed, as a text for the user.
    public struct ProblemLabel: View {
        private let problem: String

        /// Creates a label with this reason.
        public init(_ problem: String) {
            self.problem = problem
        }

        /// The label.
        public var body: some View {
            Label(problem, systemImage: "exclamationmark.triangle").foregroundStyle(.red)
        }
    }
#endif
