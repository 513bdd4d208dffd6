import BackplaneNavigation
import Logging
import Mustache
import Screens

/// A renderer that turns models into HTML, with the app's templates and the host's own.
struct Renderer: Sendable {
    /// The host's values for every section template, under the name `host`.
    struct Host: TemplateModel {
        /// The address that forms post to.
        let action: String
        /// The token in every post, which proves that the post comes from a page of this host.
        let csrf: String
        /// The number of the screen that the form is on.
        var screen = 0

        var properties: [String: Any?] { ["action": action, "csrf": csrf, "screen": screen] }
    }

    /// The contents of a page's `<main>` element or of its sheet.
    struct Main {
        struct Part {
            let id: String
            let html: String
        }

        let screen: Int?
        let title: String
        var message: String?
        var parts: [Part] = []
        /// The address to reload, for a page that receives no updates; `nil` if no reload is
        /// needed.
        var reload: String?
    }

    /// The data that the script needs about the page's window.
    struct WindowData {
        let id: String
        let csrf: String
        let version: Int
        let path: String
    }

    private struct SectionContext: TemplateModel {
        let host: Host
        let template: String
        let model: Any

        var properties: [String: Any?] { ["host": host, "template": template, "model": model] }
    }

    private struct DocumentContext {
        let name: String
        let title: String
        let documentTitle: String
        let window: WindowData?
        let bar: String
        let main: String
        let sheet: String
        let sheetScreen: Int?
        let dialog: String
        let isAsking: Bool
    }

    private struct DialogContext {
        struct Button {
            let id: Int
            let label: String
            let isMain: Bool
        }

        let host: Host
        let number: Int
        let title: String
        let message: String
        let buttons: [Button]
    }

    private struct BarContext {
        struct Entry {
            let title: String
            let path: String
            let isCurrent: Bool
        }

        let entries: [Entry]
    }

    let faces: WebFaces
    private let library: MustacheLibrary
    private let name: String
    private let logger: Logger

    /// Parses every template.
    ///
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/invalidTemplate``.
    init(
        name: String,
        faces: WebFaces = WebFaces(),
        templates: [String: String],
        layout: String,
        logger: Logger
    ) throws {
        HTMLEscaping.register()
        var library = MustacheLibrary()
        let sources = templates.merging(Self.templates) { $1 }.merging(["host-layout": layout]) { $1 }
        for (name, source) in sources {
            do {
                try library.register(HTMLEscaping.pragma + source, named: name)
            } catch {
                throw WebHostError.invalidTemplate(name, cause: error)
            }
        }
        self.faces = faces
        self.library = library
        self.name = name
        self.logger = logger
    }

    /// Returns the HTML inside a section's element.
    func section(_ section: Section, host: Host) -> String {
        guard library.getTemplate(named: section.template) != nil else {
            logger.error(
                "Section '\(section.id)' uses the template '\(section.template)', which the app does not have."
            )
            return render("host-missing", ())
        }
        return render("host-section", SectionContext(host: host, template: section.template, model: section.model()))
    }

    /// Returns the `<main>` element.
    func main(_ main: Main) -> String { render("host-main", main) }

    /// Returns the HTML inside the sheet's element.
    func sheet(_ sheet: Main) -> String { render("host-sheet", sheet) }

    /// Returns the links of the bar, and marks the link to `path` as the current one.
    func bar(_ entries: [BarEntry], path: String) -> String {
        render(
            "host-bar-entries",
            BarContext(
                entries: entries.map { .init(title: $0.title, path: $0.path, isCurrent: $0.path == path) }
            )
        )
    }

    /// Returns the HTML inside the dialog's element.
    func dialog(_ dialog: PresentedDialog, number: Int, host: Host) -> String {
        let buttons = dialog.buttons.map { button in
            DialogContext.Button(id: button.id, label: button.label, isMain: button.id == 0)
        }
        let context = DialogContext(
            host: host,
            number: number,
            title: dialog.title,
            message: dialog.message,
            buttons: buttons
        )
        return render("host-dialog", context)
    }

    /// Returns a whole page.
    func document(_ page: PageState, window: WindowData? = nil) -> String {
        let context = DocumentContext(
            name: name,
            title: page.title,
            documentTitle: documentTitle(page.title),
            window: window,
            bar: render("host-bar", page.bar),
            main: page.main,
            sheet: page.sheet,
            sheetScreen: page.sheetScreen,
            dialog: page.dialog,
            isAsking: !page.dialog.isEmpty
        )
        return render("host-document", context)
    }

    /// Returns a page with only a message, in the app's layout, below the HTML of a bar.
    func message(_ title: String, _ message: String, bar: String = "") -> String {
        document(PageState(title: title, main: main(Main(screen: nil, title: title, message: message)), bar: bar))
    }

    /// Returns the title of the browser's tab.
    func documentTitle(_ title: String) -> String { title.isEmpty ? name : "\(title) · \(name)" }

    private func render(_ template: String, _ context: Any) -> String {
        library.render(TemplateValue.of(context) ?? context, withTemplate: template) ?? ""
    }
}
