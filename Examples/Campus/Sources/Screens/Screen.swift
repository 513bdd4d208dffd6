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

/// A screen whose actions have names, so that every face performs them in the same way.
public protocol EventScreen: Screen {
    /// The actions of the user, by the names that forms and commands have.
    associatedtype Event: RawRepresentable<String>, CaseIterable

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    func perform(_ event: Event, _ fields: EventFields)
}
