import Screens

@testable import CampusApp
@testable import WebHost

/// The look of screens in a browser, by which tests read a screen and press its buttons.
private let faces = WebFaces(CampusApp.webFaces)

extension Screens.Screen {
    /// The title of the screen's page.
    var title: String { faces.title(of: self) }

    /// The sections of the screen's page.
    var sections: [Section] { faces.sections(of: self) }

    /// Sends an event of the page.
    func handle(_ event: ScreenEvent) { faces.handle(event, on: self) }
}
