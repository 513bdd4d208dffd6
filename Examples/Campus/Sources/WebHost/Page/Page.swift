/// The contents of a window's page, with the version at which each part changed last.
///
/// It is a pure value. The window tells it what was drawn, and connections ask for the changes
/// since their version. A slow or interrupted connection therefore gets the newest state once,
/// without a backlog and without unchanged parts.
struct Page {
    /// The title and the path of the current screen.
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

    /// A change that a connection sends to its page.
    enum Change: Equatable {
        /// Another screen or other sections, so that everything is new.
        case screen
        /// The title or the path.
        case heading
        /// The bar.
        case bar
        /// The dialog over the page.
        case dialog
        /// One section, by its index in ``parts``.
        case section(Int)
    }

    /// The number of changes, counted from the initial version.
    private(set) var version: Int
    /// The number of screens so far; an event with an older number belongs to an earlier screen.
    private(set) var number: Int
    private(set) var heading: Heading
    private(set) var isModal = false
    private(set) var parts: [Part] = []
    /// The bar above the content, which stays when the screen changes.
    private(set) var bar = Part(id: "bar", html: "")
    /// The dialog over the page; empty if there is none.
    private(set) var dialog = Part(id: "dialog", html: "")
    private var layoutVersion: Int
    private var headingVersion: Int

    /// Creates a page that shows nothing yet.
    ///
    /// - Parameters:
    ///   - version: the initial version; after a restart, a random number far from those of earlier
    ///     processes.
    ///   - number: the number of earlier screens.
    ///   - path: the path until the first screen is shown.
    init(version: Int = 1, number: Int = 0, path: String = "/") {
        self.version = version
        self.number = number
        heading = Heading(path: path)
        layoutVersion = version
        headingVersion = version
    }

    /// Shows a new screen.
    mutating func show(isModal: Bool, heading: Heading, parts: [Part]) {
        number += 1
        self.isModal = isModal
        self.heading = heading
        lay(parts)
    }

    /// Updates the sections of the current screen; if their IDs are unchanged, only changed
    /// sections are redrawn.
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

    /// Redraws the dialog; an empty text removes it.
    mutating func redrawDialog(html: String) {
        guard dialog.html != html else { return }
        version += 1
        dialog.html = html
        dialog.version = version
    }

    /// Changes the title or the path of the current screen.
    mutating func retitle(_ heading: Heading) {
        guard heading != self.heading else { return }
        version += 1
        self.heading = heading
        headingVersion = version
    }

    /// Returns the changes since version `known`, or everything if the page never had that version.
    func changes(since known: Int) -> [Change] {
        guard (0...version).contains(known) else { return [.screen, .bar, .dialog] }
        let around: [Change] = (bar.version > known ? [.bar] : []) + (dialog.version > known ? [.dialog] : [])
        guard known >= layoutVersion else { return [.screen] + around }
        var changes = around
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
