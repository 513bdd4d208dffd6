public import Backplane
public import BackplaneNavigation
public import Screens

/// The parts of an app that the web host needs: session data, windows and templates.
///
/// ```swift
/// let app = WebApp(
///     name: "Campus",
///     templates: ["counter": "<h2>Count</h2><p>{{count}}</p>"],
///     makeScope: { session in Counters(session: session) },
///     assemble: { motherboard, navigator, counters, window in
///         motherboard.install(CounterModule(counters: counters, navigator: navigator))
///     }
/// )
/// ```
public struct WebApp<Scope: Sendable>: Sendable {
    /// The name of the app, shown in every page's title.
    public var name: String

    /// The Mustache sources of the section templates and of the partials that they use, by name.
    ///
    /// A template can use the section's model, `{{host.action}}` and the partial
    /// `{{>host-fields}}`. `{{host.action}}` is the address that a form posts to. Every form needs
    /// `{{>host-fields}}`, which protects against forged posts.
    ///
    /// A form names its event in a field or a button called `_event`. With `data-event`, the script
    /// sends the form without loading a page:
    ///
    /// ```html
    /// <form method="post" action="{{host.action}}" data-event>
    ///     {{>host-fields}}
    ///     <button name="_event" value="increment">One more</button>
    /// </form>
    /// ```
    ///
    /// With `data-event-on-change` too, the script sends the form whenever a field changes, for
    /// example a check box. Such a form needs a button in a `noscript` element.
    ///
    /// A form with a field `_once` is about a change that is made once. All its events in a session
    /// with the same value there have one ``ScreenEvent/identity``, from whatever tab.
    ///
    /// A link with `data-event="open"` sends that event, with its other `data-` attributes as
    /// fields. Without the script it is a plain link. A link with `data-navigate` opens its address
    /// in the window that the page shows. Give each input an `id`, so that typed text survives when
    /// its section is redrawn.
    ///
    /// The script shows the moment in `<time datetime="…">` in the reader's language and time zone.
    public var templates: [String: String]

    /// The looks of the app's screens, one for each type of screen; they bring their own templates.
    public var faces: [any WebFace]

    /// The Mustache source of the page around the content.
    ///
    /// It can use `{{name}}`, `{{title}}`, `{{{bar}}}` and `{{{main}}}`.
    public var layout: String

    /// The style sheet of every page.
    public var styleSheet: String

    /// A closure that makes a session's data, such as the signed-in user and data kept in memory.
    ///
    /// It is called when a user comes for the first time, or comes back after a restart.
    public var makeScope: @Sendable (SessionControl) async -> Scope

    /// A closure that deletes the part of a session's data that outlasts the process.
    ///
    /// It is called once, after the session has ended for good. A session in the host's store does
    /// not end with the host. If no user came back to such a session, its data is made for this
    /// call only. It is not called for a session whose cookie was never sent, because the first
    /// page was not shown.
    public var forgetScope: @Sendable (Scope) async -> Void

    /// A closure that fills a window by installing the app's modules.
    ///
    /// It runs once for each window, on the window's actor. It runs before the window opens its
    /// first link, and before boards are restored after a restart.
    public var assemble: @Sendable (Motherboard, ScreenNavigator, Scope, WindowID) -> Void

    /// A closure that prepares a window's motherboard for its first link, for example by entering
    /// the scope of a signed-in user.
    ///
    /// It runs once for each window, on the window's actor. It runs after ``assemble``, and before
    /// a link is opened or boards are restored. A new window waits at most
    /// ``WebHostConfiguration/settleLimit`` for it. A window of an earlier host waits until it
    /// returns, because many of them come back at once.
    public var prepare: (@Sendable (Motherboard, Scope) async -> Void)?

    /// A closure that throws if the app cannot keep what its users do, for example because a disk
    /// is full.
    ///
    /// The host calls it when a load balancer asks for `/health/ready`, at most once a second while
    /// it returns.
    public var check: (@Sendable () async throws -> Void)?

    /// A closure that returns when everything is stored that the app had begun to store when it was
    /// called.
    ///
    /// The host calls it after an event of the user, before the page learns that the event was
    /// handled. So a user who sees no error has lost nothing, however the process ends.
    public var finishStoring: (@Sendable (Scope) async -> Void)?

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - name: the name of the app, shown in every page's title.
    ///   - templates: the Mustache sources of sections and partials, by name.
    ///   - faces: the looks of the app's screens, one for each type of screen.
    ///   - layout: the Mustache source of the page around the content.
    ///   - styleSheet: the style sheet of every page.
    ///   - makeScope: makes a session's data when a user comes for the first time, or comes back
    ///     after a restart.
    ///   - forgetScope: deletes the part of a session's data that outlasts the process.
    ///   - assemble: fills a window; runs once for each window, on its actor.
    ///   - prepare: prepares a window's motherboard for its first link; by default there is nothing
    ///     to prepare.
    ///   - finishStoring: returns when everything is stored that the app has begun to store; by
    ///     default there is nothing to wait for.
    ///   - check: throws if the app cannot keep what its users do; by default it always can.
    public init(
        name: String,
        templates: [String: String] = [:],
        faces: [any WebFace] = [],
        layout: String = WebAppDefaults.layout,
        styleSheet: String = WebAppDefaults.styleSheet,
        makeScope: @escaping @Sendable (SessionControl) async -> Scope,
        forgetScope: @escaping @Sendable (Scope) async -> Void = { _ in },
        assemble: @escaping @Sendable (Motherboard, ScreenNavigator, Scope, WindowID) -> Void,
        prepare: (@Sendable (Motherboard, Scope) async -> Void)? = nil,
        finishStoring: (@Sendable (Scope) async -> Void)? = nil,
        check: (@Sendable () async throws -> Void)? = nil
    ) {
        self.name = name
        self.templates = templates
        self.faces = faces
        self.layout = layout
        self.styleSheet = styleSheet
        self.makeScope = makeScope
        self.forgetScope = forgetScope
        self.assemble = assemble
        self.prepare = prepare
        self.finishStoring = finishStoring
        self.check = check
    }
}

/// The default layout and style sheet of a ``WebApp``.
public enum WebAppDefaults {
    /// A bar above the content, with a link to the start page and the ``BarEntry``s of the
    /// features.
    public static let layout = WebTemplate(PackageResources.host_layout_mustache).source

    /// A style sheet for cards, lists, forms, messages and loading sections, in light and dark
    /// mode.
    ///
    /// - `list` and `row` arrange elements, and `grow` takes the free space of a row.
    /// - `cards` shows the elements of a list as cards, which open the links in them.
    /// - `price` is an amount at the end of a row.
    /// - `notice` and `error` show messages.
    /// - `quiet` makes a button less prominent.
    /// - `button` makes a link look like a button.
    /// - `skeleton` around three empty `span`s is a placeholder for loading content.
    /// - `muted` is small print.
    /// - `visually-hidden` is text only for assistive technology.
    public static let styleSheet = String(decoding: PackageResources.style_css, as: UTF8.self)
}
