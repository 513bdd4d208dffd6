import CatalogTerminal
import CatalogWeb
import ComposerTerminal
import ComposerWeb
import CourseTerminal
import CourseWeb
import DashboardTerminal
import DashboardWeb
import LoginModels
import LoginTerminal
import LoginWeb
import ProductTerminal
import ProductWeb
import SettingsTerminal
import SettingsWeb
public import TerminalHost
import WebHost

extension CampusApp {
    /// The looks of all screens in a browser.
    static let webFaces: [any WebFace] = [
        LoginWebFace(),
        DashboardWebFace(),
        SettingsWebFace(),
        CourseWebFace(),
        ComposerWebFace(),
        RecipientPickerWebFace(),
        CatalogWebFace(),
        ProductWebFace(),
    ]

    /// The looks of all screens in a terminal.
    static let terminalFaces: [any TerminalFace] = [
        LoginTerminalFace(),
        DashboardTerminalFace(),
        SettingsTerminalFace(),
        CourseTerminalFace(),
        ComposerTerminalFace(),
        RecipientPickerTerminalFace(),
        CatalogTerminalFace(),
        ProductTerminalFace(),
    ]
}

extension Terminal {
    /// Whether the terminal shows the login form.
    public var asksForSignIn: Bool { shows(LoginModel.self) }
}
