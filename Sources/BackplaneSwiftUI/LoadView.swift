#if canImport(SwiftUI)
    public import BackplaneFeatures
    public import SwiftUI

    /// A view of a value that is loaded: idle, loading, loaded or failed.
    ///
    /// During a reload, and after a failed one, the previous value stays visible.
    ///
    /// ```swift
    /// LoadView(loader.state, retry: loader.retry) { course in
    ///     CourseContentView(course: course)
    /// }
    /// ```
    ///
    /// | State | The view shows |
    /// |---|---|
    /// | `idle` | nothing |
    /// | `loading` | a progress view; with a previous value, above its content |
    /// | `loaded` | the content |
    /// | `failed` | the failure; with a previous value, below its content |
    ///
    /// A failure has the texts "Not loaded" and "Try again", which are looked up in the app's
    /// string catalog. For another look, switch over the state yourself.
    ///
    /// **Isolation.** All closures run on the main actor.
    ///
    /// **Lifetime.** The content keeps its identity and its `@State` from one value to the next. A
    /// modifier applies to the view as a whole, so a change of the state does not restart a `task`.
    public struct LoadView<Value, Content: View>: View {
        private let state: LoadState<Value>
        private let retry: () -> Void
        private let content: (Value) -> Content

        /// Creates a view of a state.
        ///
        /// - Parameters:
        ///   - state: the state to show.
        ///   - retry: loads again after a failure.
        ///   - content: returns the view of a value; several views overlap.
        public init(
            _ state: LoadState<Value>,
            retry: @escaping () -> Void,
            @ViewBuilder content: @escaping (Value) -> Content
        ) {
            self.state = state
            self.retry = retry
            self.content = content
        }

        /// The view of the state.
        public var body: some View {
            // In a container, because SwiftUI applies a modifier of a condition to each branch. A
            // `task` outside would start anew with each branch.
            ZStack {
                if let value = state.value {
                    content(value)
                        .overlay(alignment: .top) { if state.isLoading { ProgressView() } }
                        .safeAreaInset(edge: .bottom) { if state.error != nil { failure } }
                } else if state.error != nil {
                    failure
                } else if state.isLoading {
                    ProgressView()
                } else {
                    Color.clear
                }
            }
        }

        private var failure: some View {
            HStack {
                Label("Not loaded", systemImage: "exclamationmark.triangle")
                Button("Try again") { retry() }
            }
            .padding()
        }
    }
#endif
