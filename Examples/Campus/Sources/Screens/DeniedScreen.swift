public import Backplane
public import BackplaneNavigation

/// A screen that a host shows instead of an empty window after a link was denied.
///
/// The hosts have faces for it, with a button that opens the start page.
public final class DeniedScreen: Screen {
    /// The heading of the screen.
    public let title = "Not allowed"

    /// The explanation for the user.
    public let message = "You cannot open this page."

    /// The denied link; the page keeps this address, so that reloading it opens the link again.
    public let path: String

    private let onHome: (DeniedScreen) -> Void

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - path: the link that was denied.
    ///   - onHome: opens the start page.
    init(path: String, onHome: @escaping (DeniedScreen) -> Void) {
        self.path = path
        self.onHome = onHome
    }

    /// Opens the start page in place of this screen.
    public func goHome() {
        onHome(self)
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
