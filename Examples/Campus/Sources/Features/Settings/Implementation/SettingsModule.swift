public import Backplane
public import BackplaneFeatures
public import BackplaneNavigation
public import CampusModels
import LoginInterface
public import Screens
import SettingsInterface
public import SettingsModels

/// The settings feature.
public struct SettingsModule: BoardModule {
    private let navigator: ScreenNavigator
    private let actions: any SettingsActions
    private let users: RecordStore<NoID, User>?

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
        motherboard.register(Settings.id, reuse: .perActivation) { slot in
            let screen = SettingsModel(
                actions: actions,
                users: users,
                performer: ActionPerformer(startTask: slot.task),
                onSignOut: { slot.sendAction(SessionAction.signOut) }
            )
            return SettingsBoard(slot: slot, navigator: navigator, screen: screen)
        }
        motherboard.contribute(to: .barEntries, order: 30) { BarEntry("Settings", path: "/settings") }
    }
}
