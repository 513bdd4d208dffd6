/// What a feature shows, described so that any host can draw it: a web page, a terminal, a window.
///
/// A board makes a screen and puts it on the window's ``Navigation``; the host draws the top one and brings what the
/// person does back as ``ScreenEvent``s. A screen names no host, and a host names no feature.
///
/// A screen is not `Sendable`: it lives on the actor of its window, like the motherboard and the navigation, and is
/// called only there. Hosts read ``title``, ``path``, ``sections``, ``isBusy`` and each section's model under
/// observation tracking, so an `@Observable` screen (or one that reads `@Observable` loaders) is drawn again by itself.
///
/// ```swift
/// @Observable
/// final class CounterScreen: Screen {
///     struct Model { let count: Int }
///
///     private var count = 0
///     let title = "Counter"
///     let path = "/counter"
///
///     var sections: [Section] {
///         [Section(id: "count", template: "counter") { Model(count: self.count) }]
///     }
///
///     func handle(_ event: ScreenEvent) {
///         if event.name == "increment" { count += 1 }
///     }
/// }
/// ```
public protocol Screen: AnyObject {
    /// What the screen is called, in the person's words.
    var title: String { get }

    /// The deep link that leads here, as a path: `/course/abc123`.
    ///
    /// It is percent-encoded where it needs to be, begins with one slash, and holds nothing secret: hosts show it.
    var path: String { get }

    /// The parts of the screen, in the order they are shown, each with an identity of its own on this screen.
    ///
    /// Reading them must be cheap and evaluate no model: a host that reads the list would otherwise redraw every section
    /// when one changes.
    var sections: [Section] { get }

    /// Whether something on the screen is still loading.
    ///
    /// A host that cannot show changes later waits a moment for this to become `false`.
    var isBusy: Bool { get }

    /// Does what the person asked for.
    ///
    /// Called on the window's actor, one event at a time; start longer work in a task. An unknown event is to be ignored:
    /// it comes from outside.
    func handle(_ event: ScreenEvent)
}

extension Screen {
    /// A screen that loads nothing is never busy.
    public var isBusy: Bool { false }
}
