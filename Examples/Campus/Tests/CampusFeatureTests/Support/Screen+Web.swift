import Logging
import Screens
import Testing

@testable import CampusApp
@testable import WebHost

/// The look of screens in a browser, by which tests read a screen and press its buttons.
private let faces = WebFaces(CampusApp.webFaces)

extension Screens.Screen {
    /// The title of the screen's page.
    var title: String { faces.title(of: self) }

    /// The sections of the screen's page.
    var sections: [Section] { faces.sections(of: self) }

    /// Returns the HTML of a section of the screen's page.
    func html(of id: String) throws -> String {
        let renderer = try Renderer(
            name: "Campus",
            templates: faces.templates,
            layout: WebAppDefaults.layout,
            logger: Logger(label: "page")
        )
        let section = try #require(sections.first { $0.id == id })
        return renderer.section(section, host: Renderer.Host(action: "/", csrf: "", screen: 1))
    }

    /// Sends an event of the page.
    func handle(_ event: ScreenEvent) { faces.handle(event, on: self) }
}
