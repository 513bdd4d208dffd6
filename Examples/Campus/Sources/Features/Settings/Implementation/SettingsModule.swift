public import Backplane
import BackplaneFeatures
public import BackplaneNavigation
import LoginInterface
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
        motherboard.register(Settings.id, reuse: .perActivation) { slot in
            let screen = SettingsModel(
                actions: actions,
                performer: ActionPerformer(startTask: slot.task),
                onSignOut: { slot.sendAction(SessionAction.signOut) }
            )
            return SettingsBoard(slot: slot, navigator: navigator, screen: screen)
        }
        motherboard.contribute(to: .barEntries, order: 30) { BarEntry("Settings", path: "/settings") }
    }
}
