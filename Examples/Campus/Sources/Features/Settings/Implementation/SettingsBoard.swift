import Backplane
import BackplaneNavigation
import Screens
import SettingsInterface
import SettingsModels

/// A board that shows the settings; the board and its screen end together.
struct SettingsBoard: Board {
    let slot: Slot<Settings>
    let navigator: ScreenNavigator
    let screen: SettingsModel

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
