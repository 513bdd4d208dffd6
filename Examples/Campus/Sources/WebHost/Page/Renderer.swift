import Logging
import Mustache
import Screens

/// Turns models into HTML with the app's templates and the host's own.
struct Renderer: Sendable {
    /// What the host gives every section's template, under `host`.
    struct Host {
        /// Where forms post to.
        let action: String
        /// Goes with every post, to show that it comes from a page of ours.
        let csrf: String
        /// The number of the screen that the form is on.
        let screen: Int
    }

    /// A page's `<main>`.
    struct Main {
        struct Part {
            let id: String
            let html: String
        }

        let screen: Int?
        let title: String
        let isModal: Bool
        let message: String?
        let parts: [Part]
        /// Where to look again, for a page that nobody will bring up to date.
        let reload: String?
    }

    /// What the script needs to know about the window its page shows.
    struct WindowData {
        let id: String
        let csrf: String
        let version: Int
        let path: String
    }

    private struct SectionContext {
        let host: Host
        let template: String
        let model: Any
    }

    private struct DocumentContext {
        let name: String
        let title: String
        let documentTitle: String
        let window: WindowData?
        let bar: String
        let main: String
    }

    private struct BarContext {
        struct Entry {
            let title: String
            let path: String
            let isCurrent: Bool
        }

        let entries: [Entry]
    }

    private let library: MustacheLibrary
    private let name: String
    private let logger: Logger

    /// Parses every template.
    ///
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/invalidTemplate``.
    init(name: String, templates: [String: String], layout: String, logger: Logger) throws {
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
        self.library = library
        self.name = name
        self.logger = logger
    }

    /// The inside of a section's element.
    func section(_ section: Section, host: Host) -> String {
        guard library.getTemplate(named: section.template) != nil else {
            logger.error(
                "Section '\(section.id)' names the template '\(section.template)', which the app does not have."
            )
            return render("host-missing", ())
        }
        return render("host-section", SectionContext(host: host, template: section.template, model: section.model()))
    }

    /// The `<main>` element.
    func main(_ main: Main) -> String { render("host-main", main) }

    /// The links of the bar, of which the one to `path` is marked.
    func bar(_ entries: [BarEntry], path: String) -> String {
        render(
            "host-bar-entries",
            BarContext(
                entries: entries.map { .init(title: $0.title, path: $0.path, isCurrent: $0.path == path) }
            )
        )
    }

    /// A whole page around `main`.
    func document(title: String, bar: String = "", main: String, window: WindowData? = nil) -> String {
        let context = DocumentContext(
            name: name,
            title: title,
            documentTitle: documentTitle(title),
            window: window,
            bar: render("host-bar", bar),
            main: main
        )
        return render("host-document", context)
    }

    /// A page that only says something, in the app's layout.
    func message(_ title: String, _ message: String) -> String {
        let main = Main(screen: nil, title: title, isModal: false, message: message, parts: [], reload: nil)
        return document(title: title, main: self.main(main))
    }

    /// What the browser's tab shows.
    func documentTitle(_ title: String) -> String { title.isEmpty ? name : "\(title) · \(name)" }

    private func render(_ template: String, _ context: Any) -> String {
        library.render(context, withTemplate: template) ?? ""
    }
}
