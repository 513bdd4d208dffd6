public import BackplaneFeatures

/// What there is to draw of something that is loaded: it is loading, failed and can be retried, or there.
///
/// After a failed reload the earlier value and the error are both there.
public struct LoadModel<Value: Sendable>: Sendable {
    /// The identity of the section, which its retry button sends along.
    public let section: String
    /// What was loaded, if anything.
    public let value: Value?
    /// Whether there is nothing to show yet but that it is loading.
    public let isWaiting: Bool
    /// Whether a load is under way, the first or a later one.
    public let isLoading: Bool
    /// Why the last load failed, in words for people.
    public let problem: String?
}

extension LoadModel {
    /// The model of a value that needs no loading.
    public init(section: String, value: Value) {
        self.init(section: section, value: value, isWaiting: false, isLoading: false, problem: nil)
    }
}

extension Section {
    /// A section that shows a loader's state and offers a retry when a load has failed.
    ///
    /// The template draws a ``LoadModel``; its retry button sends the event `retry` with the section's identity in the field
    /// `section`, which ``Screen/handle(_:)`` answers with the loader's `retry()`.
    ///
    /// - Parameters:
    ///   - id: the section's identity on its screen, in letters, digits and hyphens.
    ///   - template: the name of the template.
    ///   - loader: what is shown.
    ///   - model: what to draw of a value.
    public init<ID, Value, Model: Sendable>(
        id: String,
        template: String,
        loader: Loader<ID, Value>,
        model: @escaping (Value) -> Model
    ) {
        self.init(id: id, template: template) {
            let state = loader.state
            return LoadModel(
                section: id,
                value: state.value.map(model),
                isWaiting: state.value == nil && state.error == nil,
                isLoading: state.isLoading,
                problem: state.error.map(Self.problem)
            )
        }
    }

    private static func problem(_ error: any Error) -> String {
        DisplayError(explaining: error)?.message ?? "This could not be loaded."
    }
}
