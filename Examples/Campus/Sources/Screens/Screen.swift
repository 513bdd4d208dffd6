/// The contents that a feature shows, in a form that any host can draw: a web page, a terminal, a
/// window.
///
/// A board makes a screen and puts it on the window's ``Navigation``. The host draws the top
/// screen, and sends the user's actions back as ``ScreenEvent``s. A screen does not name a host,
/// and a host does not name a feature.
///
/// **Isolation.** A screen is not `Sendable`. It lives on the actor of its window, like the
/// motherboard and the navigation, and is called only there.
///
/// Hosts read ``title``, ``path``, ``sections``, ``isBusy`` and each section's model under
/// observation tracking. An `@Observable` screen is therefore redrawn automatically, and so is a
/// screen that reads `@Observable` loaders.
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
    /// The title of the screen, as a text for the user.
    var title: String { get }

    /// The deep link of the screen, as a path: `/course/abc123`.
    ///
    /// The path is percent-encoded and begins with exactly one slash. It must not contain a secret,
    /// because hosts show it.
    var path: String { get }

    /// The parts of the screen, in the order they are shown; each has a unique ID on this screen.
    ///
    /// Reading the sections must be cheap and must not evaluate a model. Otherwise the host redraws
    /// every section when one of them changes.
    var sections: [Section] { get }

    /// Whether something on the screen is still loading.
    ///
    /// A host that cannot show later changes waits a moment until this is `false`.
    var isBusy: Bool { get }

    /// Performs the action that the user asked for.
    ///
    /// The host calls this on the window's actor, one event at a time. Start longer work in a task.
    /// Ignore unknown events, because events come from outside.
    func handle(_ event: ScreenEvent)
}

extension Screen {
    /// Always `false`, for a screen that loads nothing.
    public var isBusy: Bool { false }
}
