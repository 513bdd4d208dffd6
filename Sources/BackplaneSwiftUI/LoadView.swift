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
    /// **Isolation.** All closures run on the main actor.
    ///
    /// **Lifetime.** The content keeps its identity and its `@State` from one value to the next.
    public struct LoadView<Value, Content: View, Failure: View>: View {
        private let state: LoadState<Value>
        private let content: (Value) -> Content
        private let failure: (any Error) -> Failure

        /// Creates a view with your own view of a failure.
        ///
        /// ```swift
        /// LoadView(loader.state) { course in
        ///     CourseContentView(course: course)
        /// } failure: { error in
        ///     RetryView(error) { loader.retry() }
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - state: the state to show.
        ///   - content: returns the view of a value.
        ///   - failure: returns the view of the error of the last load.
        public init(
            _ state: LoadState<Value>,
            @ViewBuilder content: @escaping (Value) -> Content,
            @ViewBuilder failure: @escaping (any Error) -> Failure
        ) {
            self.state = state
            self.content = content
            self.failure = failure
        }

        /// The view of the state.
        public var body: some View {
            if let value = state.value {
                content(value)
                    .overlay(alignment: .top) { if state.isLoading { ProgressView() } }
                    .safeAreaInset(edge: .bottom) { if let error = state.error { failure(error) } }
            } else if let error = state.error {
                failure(error)
            } else if state.isLoading {
                ProgressView()
            } else {
                Color.clear
            }
        }
    }

    extension LoadView where Failure == Retry {
        /// Creates a view with a button that tries again.
        ///
        /// - Parameters:
        ///   - state: the state to show.
        ///   - retry: loads again after a failure.
        ///   - content: returns the view of a value.
        public init(
            _ state: LoadState<Value>,
            retry: @escaping () -> Void,
            @ViewBuilder content: @escaping (Value) -> Content
        ) {
            self.init(state, content: content) { _ in Retry(retry: retry) }
        }
    }

    /// A view of a failed load, with a button that tries again.
    ///
    /// Its texts, "Not loaded" and "Try again", are looked up in the app's string catalog.
    public struct Retry: View {
        let retry: () -> Void

        /// A label and a button.
        public var body: some View {
            HStack {
                Label("Not loaded", systemImage: "exclamationmark.triangle")
                Button("Try again") { retry() }
            }
            .padding()
        }
    }
#endif
