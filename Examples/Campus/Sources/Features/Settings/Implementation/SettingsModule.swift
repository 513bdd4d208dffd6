public import Backplane
public import Screens
import SettingsInterface

/// The settings feature.
public struct SettingsModule: BoardModule {
    private let navigation: Navigation
    private let actions: any SettingsActions

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigation: the navigation that shows the screen.
    ///   - actions: loads the contents of the screen, and performs its actions.
    public init(navigation: Navigation, actions: any SettingsActions) {
        self.navigation = navigation
        self.actions = actions
    }

    /// Registers the settings board, and adds it to the bar.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.settings, reuse: .perActivation) { slot in
            SettingsBoard(slot: slot, navigation: navigation, actions: actions)
        }
        motherboard.contribute(to: .barEntries, order: 30) { BarEntry("Settings", path: "/settings") }
    }
}
