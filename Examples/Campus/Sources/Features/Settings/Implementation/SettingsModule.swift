public import Backplane
public import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
public import Screens
import SettingsInterface
public import SettingsModels

/// The settings feature.
public struct SettingsModule: BoardModule {
    let navigator: ScreenNavigator
    let actions: any SettingsActions
    let users: RecordStore<NoID, User>?

    /// Creates the feature.
    ///
    /// - Parameters:
    ///   - navigator: the navigator that shows the screen.
    ///   - actions: loads the contents of the screen, and performs its actions.
    ///   - users: the store of the user, which other screens share; without it, nobody does.
    public init(
        navigator: ScreenNavigator,
        actions: any SettingsActions,
        users: RecordStore<NoID, User>? = nil
    ) {
        self.navigator = navigator
        self.actions = actions
        self.users = users
    }

    /// Registers the settings board, and adds it to the bar.
    public func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in SettingsBoard(slot: slot, module: self) }
        motherboard.contribute(to: .barEntries, order: 30) { BarEntry("Settings", path: "/settings") }
    }
}
