import Backplane
import BackplaneNavigation
import CampusModels
import Screens
import SettingsInterface
import SettingsModels

/// A board that shows the settings; the board and its screen end together.
final class SettingsBoard: Board {
    let slot: Slot<Settings>
    private let navigator: ScreenNavigator
    private let actions: any SettingsActions
    private let screen: SettingsModel

    init(slot: Slot<Settings>, navigator: ScreenNavigator, actions: any SettingsActions) {
        self.slot = slot
        self.navigator = navigator
        self.actions = actions
        screen = SettingsModel(actions: actions)
        screen.delegate = self
    }

    func activate(with input: Void) {
        screen.load(on: slot.owner)
        pair(with: navigator.push(screen))
    }
}

extension SettingsBoard: SettingsDelegate {
    func end(_ session: DeviceSession.ID) {
        perform { try await self.actions.endSession(session) }
    }

    func endOtherSessions() {
        perform { try await self.actions.endOtherSessions() }
    }

    func logOut() {
        send(.logOut)
    }

    private func perform(_ action: @escaping () async throws -> Void) {
        task {
            do {
                try await action()
                self.screen.didEndSessions()
            } catch {
                self.screen.fail(with: error)
            }
        }
    }
}
