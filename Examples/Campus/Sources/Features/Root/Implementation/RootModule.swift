public import Backplane
public import BackplaneNavigation
import DashboardInterface
import LoginInterface
import RootInterface
public import Screens

/// The feature at the root, which opens the address `/` and returns to the start page.
public struct RootModule: BoardModule {
    private let navigator: ScreenNavigator

    /// Creates the feature.
    ///
    /// - Parameter navigator: the navigator that shows the screens.
    public init(navigator: ScreenNavigator) {
        self.navigator = navigator
    }

    /// Registers the link, and handles ``RootInterface/AppAction``.
    public func register(on motherboard: Motherboard) {
        motherboard.registerLink("", to: Dashboard.id)
        motherboard.registerGeneralFlow { [navigator] (action: AppAction, motherboard) in
            switch action {
            case .returnHome where navigator.top == nil: motherboard.activate(Dashboard.id)
            case .returnHome: navigator.returnHome()
            }
        }
        // After a sign-out the login form is shown, unless a public screen is still open.
        motherboard.registerCompletionFlow(Session.id) { [navigator] completion, motherboard in
            if case .done = completion, navigator.top == nil { motherboard.activate(Dashboard.id) }
        }
    }
}
