public import BackplaneFeatures
import Screens

/// The model of a loaded value, which is loading, has failed and can be retried, or is present.
///
/// After a failed reload, both the earlier value and the error are present.
public struct LoadModel<Value: Sendable>: Sendable {
    /// The ID of the section, which its retry button sends along.
    public let section: String
    /// The loaded value; `nil` if nothing has loaded yet.
    public let value: Value?
    /// Whether the value is a list without elements.
    public let isEmpty: Bool
    /// Whether there is no value and no error yet.
    public let isWaiting: Bool
    /// Whether a load is running, the first one or a later one.
    public let isLoading: Bool
    /// The reason why the last load failed, as a text for the user.
    public let problem: String?

    init(section: String, value: Value?, isWaiting: Bool, isLoading: Bool, problem: String?) {
        self.section = section
        self.value = value
        isEmpty = (value as? any Collection)?.isEmpty ?? false
        self.isWaiting = isWaiting
        self.isLoading = isLoading
        self.problem = problem
    }
}

extension LoadModel {
    /// Creates the model of a value that needs no loading.
    public init(section: String, value: Value) {
        self.init(section: section, value: value, isWaiting: false, isLoading: false, problem: nil)
    }

    /// Creates the model of a value in a state.
    ///
    /// - Parameters:
    ///   - section: the ID of the section, which its retry button sends along.
    ///   - state: the state of a loader or a list.
    ///   - model: converts a loaded value to the value that the template draws.
    public init<Loaded>(section: String, state: LoadState<Loaded>, model: (Loaded) -> Value) {
        self.init(
            section: section,
            value: state.value.map(model),
            isWaiting: state.value == nil && state.error == nil,
            isLoading: state.isLoading,
            problem: state.problem
        )
    }
}

extension LoadModel: TemplateModel {
    var properties: [String: Any?] {
        [
            "section": section, "value": value, "isEmpty": isEmpty, "isWaiting": isWaiting, "isLoading": isLoading,
            "problem": problem,
        ]
    }
}

extension Section {
    /// Creates a section that shows a loader's state and offers a retry after a failed load.
    ///
    /// The template draws a ``LoadModel``. Its retry button sends the event `retry`, with the
    /// section's ID in the field `section`. The face must then call the loader's `retry()`.
    ///
    /// - Parameters:
    ///   - id: the section's ID on its page, in letters, digits and hyphens.
    ///   - template: the name of the template.
    ///   - loader: the loader that the section shows.
    ///   - model: converts a loaded value to the model that the template draws.
    public init<ID, Value, Model: Sendable>(
        id: String,
        template: String,
        loader: Loader<ID, Value>,
        model: @escaping (Value) -> Model
    ) {
        self.init(id: id, template: template) { LoadModel(section: id, state: loader.state, model: model) }
    }
}
