public import Backplane

/// A screen that a host shows in place of an empty window when a link was denied, with a way to the
/// start page.
///
/// It is drawn with the template `host-denied`, and obeys the event `home`.
public final class DeniedScreen: Screen {
    struct Model: Sendable {
        let message: String
    }

    /// The heading, which says in short that the link was denied.
    public let title = "Not allowed"

    /// The link that was denied: the page keeps its address, and loading it again asks again.
    public let path: String

    private let goHome: (DeniedScreen) -> Void

    /// - Parameters:
    ///   - path: the link that was denied.
    ///   - goHome: opens the start page.
    init(path: String, goHome: @escaping (DeniedScreen) -> Void) {
        self.path = path
        self.goHome = goHome
    }

    /// One section, which says what happened and offers the way home.
    public var sections: [Section] {
        [Section(id: "denied", template: "host-denied") { Model(message: "You cannot open this page.") }]
    }

    /// Goes home.
    public func handle(_ event: ScreenEvent) {
        if event.name == "home" { goHome(self) }
    }
}

extension Navigation {
    /// Shows a ``DeniedScreen`` whenever a link is denied while nothing else is shown.
    ///
    /// For hosts. A link that is opened first may wait at a gate whose form is all there is. When the
    /// user leaves the form, the window would stay empty. Boards that come back after a restart count
    /// too.
    ///
    /// - Parameters:
    ///   - motherboard: where links are opened.
    ///   - path: returns the path of the link that was opened last.
    public func showDenials(on motherboard: Motherboard, of path: @escaping () -> String) {
        motherboard.registerDenialFlow(weak: self) { [weak motherboard] navigation, _ in
            guard navigation.top == nil else { return }
            let screen = DeniedScreen(path: path()) { [weak navigation] screen in
                navigation?.dismiss(screen)
                motherboard?.open("/")
            }
            navigation.setRoot(screen)
        }
    }
}
