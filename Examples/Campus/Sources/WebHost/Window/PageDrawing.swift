import BackplaneNavigation
import Observation
import Screens

/// The drawing of a window's page: it draws the screens of the navigator, and says what has to be
/// drawn again.
///
/// **Isolation.** It belongs to its window, and is not `Sendable`.
final class PageDrawing {
    /// A part of the page that has to be drawn again.
    enum Change: Sendable {
        /// The screens or their lists of sections.
        case screens
        case heading(Page.Area)
        case section(Page.Area, String)
        case bar
        case dialog
    }

    private struct Shown {
        /// The screen; it is kept so that no other screen can get the same identity.
        var screen: (any Screen)?
        var sections: [Section] = []
    }

    private(set) var page = Page()
    private var shown: [Page.Area: Shown] = [:]
    /// The dialog that ``page`` shows.
    private var asked: PresentedDialog?
    /// The number of the dialog that ``page`` shows; an answer with another number is ignored.
    private var dialogNumber = 0
    /// The number of the current tracking; changes from an earlier tracking are ignored.
    private var round = 0
    private let renderer: Renderer
    private let host: Renderer.Host
    private let navigator: ScreenNavigator
    private let barEntries: () -> [BarEntry]
    private let onChange: @Sendable (Change, _ round: Int) -> Void

    /// Creates the drawing of an empty page.
    ///
    /// - Parameters:
    ///   - renderer: renders the templates.
    ///   - host: the values for the forms of every section.
    ///   - navigator: the navigator whose screens are drawn.
    ///   - barEntries: returns the entries of the bar; it is observed.
    ///   - onChange: called from any actor before a change is made. The window then calls
    ///     ``redraw(_:round:)``.
    init(
        renderer: Renderer,
        host: Renderer.Host,
        navigator: ScreenNavigator,
        barEntries: @escaping () -> [BarEntry],
        onChange: @escaping @Sendable (Change, _ round: Int) -> Void
    ) {
        self.renderer = renderer
        self.host = host
        self.navigator = navigator
        self.barEntries = barEntries
        self.onChange = onChange
    }

    /// Returns the screen with this number, if the page shows it.
    func screen(_ number: Int) -> (any Screen)? {
        if page.sheet.number == number { return shown[.sheet]?.screen }
        return page.main.number == number ? shown[.main]?.screen : nil
    }

    /// Returns the dialog with this number, if the page shows it.
    func dialog(_ number: Int) -> PresentedDialog? { number == dialogNumber ? asked : nil }

    /// Whether the subject of the main screen does not exist.
    var isMissing: Bool { shown[.main]?.screen?.isMissing ?? false }

    /// Starts again with an empty page.
    func restart(with page: Page) {
        self.page = page
        shown = [:]
    }

    /// Forgets the screens and the dialog; the page stays as it was drawn last.
    func stop() {
        round += 1
        shown = [:]
        asked = nil
    }

    // MARK: Drawing

    /// Draws everything, and tracks all changes from now on.
    func draw() {
        round += 1
        let (main, sheet) = tracking(.screens) {
            (contents(of: navigator.mainScreen), contents(of: navigator.sheetScreen))
        }
        show(main, in: .main)
        if sheet.screen == nil { removeSheet() } else { show(sheet, in: .sheet) }
        page.redrawBar(html: drawBar())
        page.redrawDialog(html: drawDialog())
    }

    /// Draws a part again; returns `false` if everything was drawn since the change.
    func redraw(_ change: Change, round: Int) -> Bool {
        guard round == self.round else { return false }
        switch change {
        case .screens:
            draw()
        case .heading(let area):
            page.retitle(heading(of: area), in: area)
            // The bar marks the entry of the current path.
            page.redrawBar(html: drawBar())
        case .section(let area, let id):
            guard let section = shown[area]?.sections.first(where: { $0.id == id }) else { return false }
            page.redraw(id, html: draw(section, in: area, number: page[area].number), in: area)
        case .bar:
            page.redrawBar(html: drawBar())
        case .dialog:
            page.redrawDialog(html: drawDialog())
        }
        return true
    }

    private func contents(of screen: (any Screen)?) -> Shown {
        Shown(screen: screen, sections: screen.map { renderer.faces.sections(of: $0) } ?? [])
    }

    private func show(_ contents: Shown, in area: Page.Area) {
        let isNew = page[area].number == nil || contents.screen !== shown[area]?.screen
        shown[area] = contents
        let heading = heading(of: area)
        // The forms of a new screen must contain its own number, not the previous one.
        let number = isNew ? page.nextNumber(in: area) : page[area].number
        let parts = contents.sections.map { Page.Part(id: $0.id, html: draw($0, in: area, number: number)) }
        if isNew {
            page.show(heading, parts: parts, in: area)
        } else {
            page.retitle(heading, in: area)
            page.redraw(parts, in: area)
        }
    }

    private func removeSheet() {
        shown[.sheet] = nil
        page.removeSheet()
    }

    private func heading(of area: Page.Area) -> Page.Heading {
        tracking(.heading(area)) {
            let screen = shown[area]?.screen
            return Page.Heading(
                title: screen.map { renderer.faces.title(of: $0) } ?? "",
                path: screen?.path ?? page[area].heading.path
            )
        }
    }

    private func draw(_ section: Section, in area: Page.Area, number: Int?) -> String {
        tracking(.section(area, section.id)) { renderer.section(section, host: host(screen: number)) }
    }

    private func drawBar() -> String {
        tracking(.bar) { renderer.bar(barEntries(), path: page.main.heading.path) }
    }

    /// Draws the dialog of the highest layer; an empty text if there is none.
    private func drawDialog() -> String {
        let dialog = tracking(.dialog) { navigator.topLayer.dialog }
        if dialog !== asked {
            asked = dialog
            dialogNumber += 1
        }
        return dialog.map { renderer.dialog($0, number: dialogNumber, host: host(screen: nil)) } ?? ""
    }

    private func host(screen number: Int?) -> Renderer.Host {
        var host = host
        host.screen = number ?? 0
        return host
    }

    private func tracking<Result>(_ change: Change, _ read: () -> Result) -> Result {
        withObservationTracking(read) { [onChange, round] in onChange(change, round) }
    }
}

extension Navigator where Screen == any Screens.Screen {
    /// The screen in the main area: of the base, or of the highest cover.
    var mainScreen: (any Screens.Screen)? { layers.last { $0.style != .sheet }?.stack.places.last?.screen }

    /// The screen of the sheet above the main area, if there is one.
    var sheetScreen: (any Screens.Screen)? { topLayer.style == .sheet ? top?.screen : nil }
}
