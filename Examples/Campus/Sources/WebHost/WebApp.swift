public import Backplane
public import Screens

/// An app as the web host sees it: how to make a session's data, how to fill a window, and how to draw sections.
///
/// ```swift
/// let app = WebApp(
///     name: "Campus",
///     templates: ["counter": "<h2>Count</h2><p>{{count}}</p>"],
///     makeScope: { session in Counters(session: session) },
///     assemble: { motherboard, navigation, counters, window in
///         motherboard.install(CounterModule(counters: counters, navigation: navigation))
///     }
/// )
/// ```
public struct WebApp<Scope: Sendable>: Sendable {
    /// The name of the app, shown in every page's title.
    public var name: String

    /// The Mustache source of every section's template and of the partials they use, by name.
    ///
    /// Beside a section's model a template may use `{{host.action}}`, where a form posts to, and the partial
    /// `{{>host-fields}}`, which every form needs: it protects against forged posts. A form names its event in a field or a
    /// button called `_event`, and carries `data-event` so that the script sends it without loading a page:
    ///
    /// ```html
    /// <form method="post" action="{{host.action}}" data-event>
    ///     {{>host-fields}}
    ///     <button name="_event" value="increment">One more</button>
    /// </form>
    /// ```
    ///
    /// A link with `data-event="open"` sends that event with its other `data-` attributes as fields; without script it is
    /// a plain link. One with `data-navigate` opens its address in the window that the page shows. Give inputs an `id`: what is typed in them then survives their section being drawn again.
    public var templates: [String: String]

    /// The Mustache source of what surrounds every page's content: `{{name}}`, `{{title}}`, `{{{bar}}}` and `{{{main}}}`.
    public var layout: String

    /// The style sheet of every page.
    public var styleSheet: String

    /// Makes a session's data when a person first comes, or comes back after a restart: who is logged in, and what of theirs is
    /// kept in memory.
    public var makeScope: @Sendable (SessionControl) async -> Scope

    /// Forgets what of a session's data outlasts the process; called once, when the session has ended for good.
    ///
    /// A session that has a place in the host's store does not end with the host. Of one that nobody came back to, the data is made
    /// for this alone.
    public var forgetScope: @Sendable (Scope) async -> Void

    /// Fills a window by installing the app's modules.
    ///
    /// Runs once for each window, on its actor, before its first link is opened or what it showed before a restart is shown again.
    public var assemble: @Sendable (Motherboard, Navigation, Scope, WindowID) -> Void

    /// Prepares a window's motherboard for its first link, for example by entering the scope of a signed-in user.
    ///
    /// Called once for each window, on its actor, after ``assemble`` and before a link is opened or boards are restored. The
    /// window waits no longer than ``WebHostConfiguration/settleLimit``.
    public var prepare: (@Sendable (Motherboard, Scope) async -> Void)?

    /// An app.
    ///
    /// - Parameters:
    ///   - name: the name of the app, shown in every page's title.
    ///   - templates: the Mustache sources of sections and partials, by name.
    ///   - layout: the Mustache source of what surrounds every page's content.
    ///   - styleSheet: the style sheet of every page.
    ///   - makeScope: makes a session's data when a person first comes, or comes back after a restart.
    ///   - forgetScope: forgets what of a session's data outlasts the process.
    ///   - assemble: fills a window; runs once for each window, on its actor.
    ///   - prepare: prepares a window's motherboard for its first link; not needed unless stated.
    public init(
        name: String,
        templates: [String: String],
        layout: String = WebAppDefaults.layout,
        styleSheet: String = WebAppDefaults.styleSheet,
        makeScope: @escaping @Sendable (SessionControl) async -> Scope,
        forgetScope: @escaping @Sendable (Scope) async -> Void = { _ in },
        assemble: @escaping @Sendable (Motherboard, Navigation, Scope, WindowID) -> Void,
        prepare: (@Sendable (Motherboard, Scope) async -> Void)? = nil
    ) {
        self.name = name
        self.templates = templates
        self.layout = layout
        self.styleSheet = styleSheet
        self.makeScope = makeScope
        self.forgetScope = forgetScope
        self.assemble = assemble
        self.prepare = prepare
    }
}

/// What a ``WebApp`` looks like unless it says otherwise.
public enum WebAppDefaults {
    /// A bar with the app's name, which leads home, and the ``BarEntry``s of its features, above the content.
    public static let layout = """
        <header><a href="/">{{name}}</a>{{{bar}}}</header>
        {{{main}}}
        """

    /// A calm sheet for cards, lists, forms, messages and loading sections, in light and dark.
    ///
    /// Its classes: `list` and `row` arrange; `notice` and `error` are messages; `quiet` makes a button stand back; `button`
    /// makes a link look like one; `skeleton` around three empty `span`s stands for what is loading; `muted` is small print.
    public static let styleSheet = String(decoding: PackageResources.style_css, as: UTF8.self)
}
