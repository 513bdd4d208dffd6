/// A part of a screen that is drawn, and drawn again, by itself.
///
/// Give each loader its own section: when one finishes, fails or is retried, only its section is drawn again.
public struct Section {
    /// The section's identity on its screen, in letters, digits and hyphens: `to-dos`.
    public let id: String

    /// The name under which the host finds how to draw the model: `course/to-dos`.
    public let template: String

    /// What there is to draw, computed anew each time from what the screen holds.
    ///
    /// Made of structs, strings, numbers, booleans, arrays and optionals, for a template without logic. A host calls it on
    /// the window's actor under observation tracking, so it reads only state that lives on that actor.
    public let model: () -> any Sendable

    /// A section that draws `model` with `template`.
    ///
    /// - Parameters:
    ///   - id: the section's identity on its screen, in letters, digits and hyphens.
    ///   - template: the name of the template.
    ///   - model: computes what there is to draw.
    public init(id: String, template: String, model: @escaping () -> any Sendable) {
        self.id = id
        self.template = template
        self.model = model
    }
}
