/// A part of a page that the host draws and redraws separately.
///
/// Give each loader its own section. Then only this section is redrawn when the loader finishes,
/// fails or is retried.
public struct Section {
    /// The section's ID on its page, in letters, digits and hyphens: `to-dos`.
    public let id: String

    /// The name of the template that draws the model: `course/to-dos`.
    public let template: String

    /// The model to draw, computed from the current state of the screen at each call.
    ///
    /// The model consists of structs, strings, numbers, booleans, arrays and optionals, for a
    /// template without logic. A host calls the closure on the window's actor under observation
    /// tracking. The closure must therefore read only state that lives on that actor.
    public let model: () -> any Sendable

    /// Creates a section that draws `model` with `template`.
    ///
    /// - Parameters:
    ///   - id: the section's ID on its page, in letters, digits and hyphens.
    ///   - template: the name of the template.
    ///   - model: computes the model to draw.
    public init(id: String, template: String, model: @escaping () -> any Sendable) {
        self.id = id
        self.template = template
        self.model = model
    }
}
