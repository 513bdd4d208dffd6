import Backplane
import BackplaneFeatures
import BackplaneNavigation
import Screens
import SettingsInterface
import SettingsModels

/// A board that shows the settings; the board and its screen end together.
final class SettingsBoard: Board {
    let slot: Slot<Settings>
    private let navigator: ScreenNavigator
    private let screen: SettingsModel

    init(slot: Slot<Settings>, navigator: ScreenNavigator, actions: any SettingsActions) {
        self.slot = slot
        self.navigator = navigator
        screen = SettingsModel(
            actions: actions,
            performer: ActionPerformer { work in slot.task(work) },
            onLogOut: { slot.send(.logOut) }
        )
    }

    func activate(with input: Void) {
        screen.load(on: slot.owner)
        pair(with: navigator.push(screen))
    }

    func receive(_ command: Settings.Command) {
        switch command {
        case .stay: screen.stay()
        }
    }
}
