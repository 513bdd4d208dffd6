/// The state and the actions behind one page of the app, without its look.
///
/// A board makes a screen and puts it on the window's ``ScreenNavigator``. A host draws the screen
/// with a *face*, which it has for each type of screen. So a screen does not name a host, and a
/// host does not name a feature.
///
/// **Isolation.** A screen is not `Sendable`. It lives on the actor of its window, like the
/// motherboard and the navigator, and is called only there. Hosts read it under observation
/// tracking, so an `@Observable` screen is redrawn automatically.
///
/// ```swift
/// @Observable
/// final class CounterModel: Screen {
///     let path = "/counter"
///     private(set) var count = 0
///
///     func increment() { count += 1 }
/// }
/// ```
public protocol Screen: AnyObject {
    /// The deep link of the screen, as a path: `/course/abc123`.
    ///
    /// The path is percent-encoded and begins with exactly one slash. It must not contain a secret,
    /// because hosts show it.
    var path: String { get }

    /// Whether something on the screen is still loading.
    ///
    /// A host that cannot show later changes waits a moment until this is `false`.
    var isBusy: Bool { get }

    /// Whether the subject of the screen does not exist, or not for this user.
    ///
    /// A web host responds with 404 then, if it knows in time.
    var isMissing: Bool { get }
}

extension Screen {
    /// Always `false`, for a screen whose subject always exists.
    public var isMissing: Bool { false }

    /// Always `false`, for a screen that loads nothing.
    public var isBusy: Bool { false }
}

/// A screen that says itself how it is drawn, and receives its events by name.
///
/// Prefer a ``Screen`` with a face for each host.
public protocol DrawnScreen: Screen {
    /// The title of the screen, as a text for the user.
    var title: String { get }

    /// The parts of the screen, in the order they are shown; each has a unique ID on this screen.
    ///
    /// Reading the sections must be cheap and must not evaluate a model. Otherwise the host redraws
    /// every section when one of them changes.
    var sections: [Section] { get }

    /// Performs the action that the user asked for.
    ///
    /// The host calls this on the window's actor, one event at a time. Start longer work in a task.
    /// Ignore unknown events, because events come from outside.
    func handle(_ event: ScreenEvent)
}
