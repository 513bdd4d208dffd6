public import Screens

/// The look of one type of screen in a browser: its title, its sections, and the events of its
/// forms.
///
/// A face has no state. Everything that it draws comes from the screen.
///
/// ```swift
/// public struct CounterWebFace: WebFace {
///     public enum Event: String, CaseIterable { case increment }
///
///     public let templates = ["counter": WebTemplate(PackageResources.counter_mustache)]
///
///     public func title(of counter: CounterModel) -> String { "Counter" }
///
///     public func sections(of counter: CounterModel) -> [Section] {
///         [Section(id: "count", template: "counter") { counter.count }]
///     }
///
///     public func handle(_ event: Event, _ form: EventFields, on counter: CounterModel) {
///         switch event {
///         case .increment: counter.increment()
///         }
///     }
/// }
/// ```
public protocol WebFace: Sendable {
    /// The type of the screens that the face draws.
    associatedtype Model: Screen
    /// The events of the face's forms and links; a raw value is the name in the templates.
    associatedtype Event: RawRepresentable<String>, CaseIterable

    /// The templates of the face's sections and the partials that they use, by name.
    var templates: [String: WebTemplate] { get }

    /// Returns the title of the screen, as a text for the user.
    func title(of screen: Model) -> String

    /// Returns the parts of the screen, in the order they are shown.
    ///
    /// It must be cheap and must not evaluate a section's model. Otherwise the host redraws every
    /// section when one of them changes.
    func sections(of screen: Model) -> [Section]

    /// Performs an event of the user on the screen.
    ///
    /// The host calls this on the window's actor, one event at a time. The fields of the form come
    /// from outside, and can be missing, malformed or forged. The face of an `EventScreen` needs no
    /// such method.
    func handle(_ event: Event, _ form: EventFields, on screen: Model)
}

extension WebFace where Model: EventScreen {
    /// Performs the action of the screen that has the name of the event.
    public func handle(_ event: Model.Event, _ form: EventFields, on screen: Model) {
        screen.perform(event, form)
    }
}

/// The Mustache source of a template, usually an embedded file.
public struct WebTemplate: Hashable, Sendable {
    /// The source.
    public let source: String

    /// Creates a template from the bytes of an embedded file, without the line end at its end.
    public init(_ bytes: [UInt8]) {
        source = String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
