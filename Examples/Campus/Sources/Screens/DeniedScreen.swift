public import Backplane
public import BackplaneNavigation

/// A screen that a host shows instead of an empty window after a link was denied.
///
/// It has a button that opens the start page. The host draws it with the template `host-denied`,
/// and the button sends the event `home`.
public final class DeniedScreen: DrawnScreen {
    struct Model: Sendable {
        let message: String
    }

    /// The heading of the screen.
    public let title = "Not allowed"

    /// The denied link; the page keeps this address, so that reloading it opens the link again.
    public let path: String

    private let goHome: (DeniedScreen) -> Void

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - path: the link that was denied.
    ///   - goHome: opens the start page.
    init(path: String, goHome: @escaping (DeniedScreen) -> Void) {
        self.path = path
        self.goHome = goHome
    }

    /// One section with the message and the button.
    public var sections: [Section] {
        [Section(id: "denied", template: "host-denied") { Model(message: "You cannot open this page.") }]
    }

    /// Opens the start page if the event is `home`.
    public func handle(_ event: ScreenEvent) {
        if event.name == "home" { goHome(self) }
    }
}

extension Navigator where Screen == any Screens.Screen {
    /// Shows a ``DeniedScreen`` whenever a link is denied while the window is empty.
    ///
    /// This method is for hosts. The first link of a window may wait at a gate. When the user
    /// leaves the gate's form, the window would stay empty. This also happens to boards that are
    /// restored after a restart.
    ///
    /// - Parameters:
    ///   - motherboard: the motherboard that opens the links.
    ///   - path: returns the path of the link that was opened last.
    public func showDenials(on motherboard: Motherboard, of path: @escaping () -> String) {
        motherboard.registerDenialFlow(weak: self) { [weak motherboard] navigator, _ in
            guard navigator.top == nil else { return }
            let screen = DeniedScreen(path: path()) { [weak navigator] screen in
                navigator?.dismiss(screen)
                motherboard?.open("/")
            }
            navigator.setRoot(screen)
        }
    }
}
