public import Backplane
public import Screens
import SettingsInterface

/// The settings feature.
public struct SettingsModule: BoardModule {
    private let navigation: Navigation
    private let actions: any SettingsActions

    /// The feature.
    ///
    /// - Parameters:
    ///   - navigation: where the screen is shown.
    ///   - actions: brings what the screen shows, and does what is asked there.
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
