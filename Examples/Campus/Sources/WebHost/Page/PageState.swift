/// A page as it is loaded.
struct PageState: Sendable {
    let title: String
    let main: String
    var bar = ""
    var sheet = ""
    /// The number of the sheet's screen; `nil` if there is no sheet.
    var sheetScreen: Int?
    var dialog = ""
    var version = 0
    var path = "/"
    /// Whether the subject of the page does not exist.
    var isMissing = false
}

extension PageState {
    /// Creates the state of a window's page.
    ///
    /// - Parameters:
    ///   - page: the page as it was drawn last.
    ///   - isMissing: whether the subject of the page does not exist.
    ///   - reload: the address to reload, for a page that receives no updates; `nil` if no reload
    ///     is needed.
    ///   - renderer: renders the areas.
    init(_ page: Page, isMissing: Bool, reload: String?, renderer: Renderer) {
        self.init(
            title: page.main.heading.title,
            main: page.html(of: .main, reload: reload, renderer: renderer),
            bar: page.bar.html,
            sheet: page.html(of: .sheet, renderer: renderer),
            sheetScreen: page.sheet.number,
            dialog: page.dialog.html,
            version: page.version,
            path: page.main.heading.path,
            isMissing: isMissing
        )
    }
}

extension Page {
    /// Returns the events that bring a page from version `known` to the current version.
    func events(since known: Int, renderer: Renderer) throws -> [ServerSentEvent] {
        var events = try changes(since: known).map { change in
            switch change {
            case .screen(let area):
                try ServerSentEvent(screen: screen(area, html: html(of: area, renderer: renderer), renderer))
            case .heading(let area): try ServerSentEvent(screen: screen(area, html: nil, renderer))
            case .section(let area, let index):
                try ServerSentEvent(
                    section: .init(id: area.elementID(of: self[area].parts[index]), html: self[area].parts[index].html)
                )
            case .bar: try ServerSentEvent(section: .init(id: bar.id, html: bar.html))
            case .dialog: try ServerSentEvent(section: .init(id: dialog.id, html: dialog.html))
            }
        }
        if !events.isEmpty { events[events.count - 1].id = version }
        return events
    }

    private func screen(_ area: Area, html: String?, _ renderer: Renderer) -> ServerSentEvent.Screen {
        ServerSentEvent.Screen(
            area: area.rawValue,
            number: self[area].number.map(String.init) ?? "",
            title: self[area].heading.title,
            documentTitle: renderer.documentTitle(main.heading.title),
            path: main.heading.path,
            html: html
        )
    }

    /// Returns the HTML of an area; an empty text for a sheet that is not shown.
    fileprivate func html(of area: Area, reload: String? = nil, renderer: Renderer) -> String {
        let pane = self[area]
        let contents = Renderer.Main(
            screen: pane.number,
            title: pane.heading.title,
            parts: pane.parts.map { Renderer.Main.Part(id: area.elementID(of: $0), html: $0.html) },
            reload: reload
        )
        return switch area {
        case .main: renderer.main(contents)
        case .sheet: pane.number == nil ? "" : renderer.sheet(contents)
        }
    }
}

extension Page.Area {
    /// The ID of a section on the page, so that sections of the sheet and below it differ.
    fileprivate func elementID(of part: Page.Part) -> String { self == .main ? part.id : "sheet-\(part.id)" }
}
