public import Backplane
import DashboardInterface
import LoginInterface
import RootInterface
public import Screens

/// The feature at the root, which opens the address `/` and returns to the start page.
public struct RootModule: BoardModule {
    private let navigation: Navigation

    /// Creates the feature.
    ///
    /// - Parameter navigation: the navigation that shows the screens.
    public init(navigation: Navigation) {
        self.navigation = navigation
    }

    /// Registers the link, and handles ``RootInterface/AppAction``.
    public func register(on motherboard: Motherboard) {
        motherboard.registerLink("", to: .dashboard)
        motherboard.registerGeneralFlow { [navigation] (action: AppAction, motherboard) in
            switch action {
            case .returnHome where navigation.top == nil: motherboard.activate(.dashboard)
            case .returnHome: navigation.returnHome()
            }
        }
        // After a log-out the login form is shown, unless a public screen is still open.
        motherboard.registerCompletionFlow(.session) { [navigation] completion, motherboard in
            if case .done = completion, navigation.top == nil { motherboard.activate(.dashboard) }
        }
    }
}
