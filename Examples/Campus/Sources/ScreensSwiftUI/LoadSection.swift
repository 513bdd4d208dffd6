#if canImport(SwiftUI)
    public import BackplaneFeatures
    import Screens
    public import SwiftUI

    /// A section of a list whose rows are loaded, fail and are retried separately.
    ///
    /// For a whole screen with one value, use `LoadView` of `BackplaneSwiftUI`.
    ///
    /// ```swift
    /// List {
    ///     LoadSection("Tutor", course.tutor.state) { tutor in
    ///         Text(tutor.name)
    ///     } retry: {
    ///         course.retry(.tutor)
    ///     }
    /// }
    /// ```
    public struct LoadSection<Value, Rows: View>: View {
        private let title: LocalizedStringKey
        private let state: LoadState<Value>
        private let rows: (Value) -> Rows
        private let retry: () -> Void

        /// Creates a section.
        ///
        /// - Parameters:
        ///   - title: the header of the section.
        ///   - state: the state to show; a previous value stays visible.
        ///   - rows: returns the rows of a value.
        ///   - retry: loads again after a failure.
        public init(
            _ title: LocalizedStringKey,
            _ state: LoadState<Value>,
            @ViewBuilder rows: @escaping (Value) -> Rows,
            retry: @escaping () -> Void
        ) {
            self.title = title
            self.state = state
            self.rows = rows
            self.retry = retry
        }

        /// The section.
        public var body: some View {
            Section(title) {
                if let value = state.value { rows(value) }
                if state.isLoading { ProgressView() }
                if let problem = state.problem {
                    ProblemLabel(problem)
                    Button("Try again") { retry() }
                }
            }
        }
    }
#endif
