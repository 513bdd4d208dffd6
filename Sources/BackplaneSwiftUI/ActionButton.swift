#if canImport(SwiftUI)
    import BackplaneFeatures
    public import SwiftUI

    /// A button for an action that takes time, disabled while the action runs.
    ///
    /// ```swift
    /// ActionButton("Send") {
    ///     try await model.send()
    /// } onError: { error in
    ///     model.problem = error
    /// }
    /// ```
    ///
    /// The button has an `ActionPerformer` of its own. If several buttons must not act at the same
    /// time, or a model must know whether an action runs, keep a performer in the model, and use
    /// plain buttons.
    ///
    /// **Isolation.** The action and the handler run on the main actor.
    ///
    /// **Order.** A second tap does nothing until the action has ended.
    ///
    /// **Errors.** `CancellationError` means that the user changed their mind, and is ignored. The
    /// handler receives any other error. It is required, because a button cannot show an error: an
    /// action that failed would look like one that succeeded.
    ///
    /// **Lifetime.** The action continues if the button disappears. If it must end earlier, run it
    /// in a board or in a model.
    public struct ActionButton<Label: View>: View {
        private let role: ButtonRole?
        private let action: @MainActor () async throws -> Void
        private let onError: @MainActor (any Error) -> Void
        private let label: Label
        @Kept private var performer = ActionPerformer()

        /// Creates a button with a label.
        ///
        /// - Parameters:
        ///   - role: the role of the button.
        ///   - action: the action to perform at a tap.
        ///   - onError: receives the error that stopped the action.
        ///   - label: the label of the button.
        public init(
            role: ButtonRole? = nil,
            action: @escaping @MainActor () async throws -> Void,
            onError: @escaping @MainActor (any Error) -> Void,
            @ViewBuilder label: () -> Label
        ) {
            self.role = role
            self.action = action
            self.onError = onError
            self.label = label()
        }

        /// The button.
        public var body: some View {
            Button(role: role, action: { performer.perform(action, onError: onError) }, label: { label })
                .disabled(performer.isPerforming)
        }
    }

    extension ActionButton where Label == Text {
        /// Creates a button with a localized title.
        ///
        /// - Parameters:
        ///   - titleKey: the key of the title.
        ///   - role: the role of the button.
        ///   - action: the action to perform at a tap.
        ///   - onError: receives the error that stopped the action.
        public init(
            _ titleKey: LocalizedStringKey,
            role: ButtonRole? = nil,
            action: @escaping @MainActor () async throws -> Void,
            onError: @escaping @MainActor (any Error) -> Void
        ) {
            self.init(role: role, action: action, onError: onError) { Text(titleKey) }
        }
    }
#endif
