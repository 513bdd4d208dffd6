/// What a window shows, and at which version each part of it last changed.
///
/// A pure value: the window tells it what was drawn, connections ask what changed since the version they have. So a
/// connection that was away or is slow gets the newest state once, never a backlog, and nothing that did not change.
struct Page {
    /// The title and the address of the screen shown.
    struct Heading: Equatable {
        var title = ""
        var path = "/"
    }

    /// A section as it was drawn last.
    struct Part: Equatable {
        let id: String
        var html: String
        fileprivate(set) var version = 0

        init(id: String, html: String) {
            self.id = id
            self.html = html
        }
    }

    /// What a connection has to tell its page.
    enum Change: Equatable {
        /// Another screen, or other sections: everything is new.
        case screen
        /// The title or the path.
        case heading
        /// The bar.
        case bar
        /// One section, by its place in ``parts``.
        case section(Int)
    }

    /// Counts every change.
    private(set) var version: Int
    /// Counts the screens: it tells an event of the screen shown from one of a screen that has left.
    private(set) var number: Int
    private(set) var heading: Heading
    private(set) var isModal = false
    private(set) var parts: [Part] = []
    /// The bar above the content, which stays when another screen is shown.
    private(set) var bar = Part(id: "bar", html: "")
    private var layoutVersion: Int
    private var headingVersion: Int

    /// A page that shows nothing yet.
    ///
    /// - Parameters:
    ///   - version: where to begin to count; after a restart, far from where another process may have come to.
    ///   - number: how many screens there have been.
    ///   - path: the address until there is a screen.
    init(version: Int = 1, number: Int = 0, path: String = "/") {
        self.version = version
        self.number = number
        heading = Heading(path: path)
        layoutVersion = version
        headingVersion = version
    }

    /// Shows a screen that was not shown before.
    mutating func show(isModal: Bool, heading: Heading, parts: [Part]) {
        number += 1
        self.isModal = isModal
        self.heading = heading
        lay(parts)
    }

    /// Puts other sections on the screen shown; the same ones in the same order are only redrawn.
    mutating func redraw(_ parts: [Part]) {
        guard parts.map(\.id) == self.parts.map(\.id) else { return lay(parts) }
        for part in parts { redraw(part.id, html: part.html) }
    }

    /// Redraws one section.
    mutating func redraw(_ id: String, html: String) {
        guard let index = parts.firstIndex(where: { $0.id == id }), parts[index].html != html else { return }
        version += 1
        parts[index].html = html
        parts[index].version = version
    }

    /// Redraws the bar.
    mutating func redrawBar(html: String) {
        guard bar.html != html else { return }
        version += 1
        bar.html = html
        bar.version = version
    }

    /// Changes the title or the path of the screen shown.
    mutating func retitle(_ heading: Heading) {
        guard heading != self.heading else { return }
        version += 1
        self.heading = heading
        headingVersion = version
    }

    /// What has changed since `known`; a version this page never had knows nothing.
    func changes(since known: Int) -> [Change] {
        guard (0...version).contains(known) else { return [.screen] }
        let barChanges: [Change] = bar.version > known ? [.bar] : []
        guard known >= layoutVersion else { return [.screen] + barChanges }
        var changes = barChanges
        if headingVersion > known { changes.append(.heading) }
        for (index, part) in parts.enumerated() where part.version > known { changes.append(.section(index)) }
        return changes
    }

    private mutating func lay(_ parts: [Part]) {
        version += 1
        self.parts = parts
        layoutVersion = version
    }
}
