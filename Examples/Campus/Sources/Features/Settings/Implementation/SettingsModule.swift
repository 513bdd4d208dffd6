public import Backplane
public import BackplaneNavigation
public import Screens
import SettingsInterface
public import SettingsModels

/// The settings feature.
public struct SettingsModule: BoardModule {
    private let navigator: ScreenNavigator
    private let actions: any SettingsActions

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - actions: loads the contents of the screen, and performs its actions.
    public init(navigator: ScreenNavigator, actions: any SettingsActions) {
        self.navigator = navigator
        self.actions = actions
    }

    /// Registers the settings board, and adds it to the bar.
    public func register(on motherboard: Motherboard) {
        motherboard.register(.settings, reuse: .perActivation) { slot in
            SettingsBoard(slot: slot, navigator: navigator, actions: actions)
        }
        motherboard.contribute(to: .barEntries, order: 30) { BarEntry("Settings", path: "/settings") }
    }
}
