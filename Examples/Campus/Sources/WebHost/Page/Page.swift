/// The contents of a window's page, with the version at which each part changed last.
///
/// It is a pure value. The window tells it what was drawn, and connections ask for the changes
/// since their version. A slow or interrupted connection therefore gets the newest state once,
/// without a backlog and without unchanged parts.
struct Page {
    /// An area of the page that shows one screen.
    enum Area: String, Sendable {
        /// The main content.
        case main
        /// The sheet above the main content.
        case sheet
    }

    /// The title and the path of a screen.
    struct Heading: Equatable {
        var title = ""
        var path = "/"
    }

    /// A section as it was drawn last.
    struct Part: Equatable {
        let id: String
        var html: String
        fileprivate(set) var version = 0

        init(id: String, html: String, version: Int = 0) {
            self.id = id
            self.html = html
            self.version = version
        }
    }

    /// The contents of an area.
    struct Pane {
        /// The number of the screen; an event with the number of an earlier screen is ignored.
        fileprivate(set) var number: Int?
        fileprivate(set) var heading = Heading()
        fileprivate(set) var parts: [Part] = []
        fileprivate var layoutVersion: Int
        fileprivate var headingVersion: Int
    }

    /// A change that a connection sends to its page.
    enum Change: Equatable {
        /// Another screen or other sections, so that the whole area is new.
        case screen(Area)
        /// The title or the path.
        case heading(Area)
        /// One section, by its index in ``Pane/parts``.
        case section(Area, Int)
        /// The bar.
        case bar
        /// The dialog over the page.
        case dialog
    }

    /// The number of changes, counted from the initial version.
    private(set) var version: Int
    /// The number of screens so far.
    private(set) var screenCount: Int
    private(set) var main: Pane
    private(set) var sheet: Pane
    /// The bar above the content, which stays when the screen changes.
    private(set) var bar: Part
    /// The dialog over the page; empty if there is none.
    private(set) var dialog: Part
    /// The number for the next screen in the main area; `nil` for a new number.
    private var returningNumber: Int?

    /// Creates a page that shows nothing yet.
    ///
    /// - Parameters:
    ///   - version: the initial version; after a restart, a random number far from those of earlier
    ///     processes.
    ///   - screenCount: the number of earlier screens.
    ///   - returning: the number of the screen that is about to return to the main area; `nil` if
    ///     the first screen is a new one.
    ///   - path: the path until the first screen is shown.
    init(version: Int = 1, screenCount: Int = 0, returning: Int? = nil, path: String = "/") {
        self.version = version
        self.screenCount = screenCount
        returningNumber = returning
        main = Pane(heading: Heading(path: path), layoutVersion: version, headingVersion: version)
        sheet = Pane(layoutVersion: version, headingVersion: version)
        bar = Part(id: "bar", html: "", version: version)
        dialog = Part(id: "dialog", html: "", version: version)
    }

    /// The contents of an area.
    private(set) subscript(area: Area) -> Pane {
        get { area == .main ? main : sheet }
        set { if area == .main { main = newValue } else { sheet = newValue } }
    }

    /// The number that the next screen of an area will have.
    func nextNumber(in area: Area) -> Int {
        area == .main ? returningNumber ?? screenCount + 1 : screenCount + 1
    }

    /// Shows a new screen.
    mutating func show(_ heading: Heading, parts: [Part], in area: Area) {
        let number = nextNumber(in: area)
        if area == .main { returningNumber = nil }
        screenCount = max(screenCount, number)
        self[area].number = number
        self[area].heading = heading
        lay(parts, in: area)
    }

    /// Removes the sheet.
    mutating func removeSheet() {
        guard sheet.number != nil else { return }
        sheet.number = nil
        lay([], in: .sheet)
    }

    /// Updates the sections of the current screen; if their IDs are unchanged, only changed
    /// sections are redrawn.
    mutating func redraw(_ parts: [Part], in area: Area) {
        guard parts.map(\.id) == self[area].parts.map(\.id) else { return lay(parts, in: area) }
        for part in parts { redraw(part.id, html: part.html, in: area) }
    }

    /// Redraws one section.
    mutating func redraw(_ id: String, html: String, in area: Area) {
        guard let index = self[area].parts.firstIndex(where: { $0.id == id }), self[area].parts[index].html != html
        else { return }
        version += 1
        self[area].parts[index].html = html
        self[area].parts[index].version = version
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
    mutating func retitle(_ heading: Heading, in area: Area) {
        guard heading != self[area].heading else { return }
        version += 1
        self[area].heading = heading
        self[area].headingVersion = version
    }

    /// Returns the changes since version `known`, or everything if the page never had that version.
    ///
    /// The dialog comes last, because a browser shows the dialog that opened last on top.
    func changes(since known: Int) -> [Change] {
        guard (0...version).contains(known) else { return [.screen(.main), .bar, .screen(.sheet), .dialog] }
        return changes(of: .main, since: known) + (bar.version > known ? [.bar] : [])
            + changes(of: .sheet, since: known) + (dialog.version > known ? [.dialog] : [])
    }

    private func changes(of area: Area, since known: Int) -> [Change] {
        let pane = self[area]
        guard known >= pane.layoutVersion else { return [.screen(area)] }
        let sections = pane.parts.indices.filter { pane.parts[$0].version > known }
        return (pane.headingVersion > known ? [.heading(area)] : []) + sections.map { .section(area, $0) }
    }

    private mutating func lay(_ parts: [Part], in area: Area) {
        version += 1
        self[area].parts = parts
        self[area].layoutVersion = version
    }
}
