import Backplane
import CampusModels
import Screens
import SettingsInterface

/// A board that shows the settings; the board and its screen end together.
final class SettingsBoard: Board {
    let slot: Slot<Settings>
    private let navigation: Navigation
    private let actions: any SettingsActions
    private let screen: SettingsScreen

    init(slot: Slot<Settings>, navigation: Navigation, actions: any SettingsActions) {
        self.slot = slot
        self.navigation = navigation
        self.actions = actions
        screen = SettingsScreen(actions: actions)
        screen.delegate = self
    }

    func activate(with input: Void) {
        screen.load(on: slot.owner)
        pair(with: navigation.push(screen))
    }

    /// Closes the screen, also when the session ends.
    func didEnd(_ completion: Completion) {
        navigation.dismiss(screen)
    }
}

extension SettingsBoard: SettingsDelegate {
    func end(_ session: UserSession.ID) {
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
                self.screen.show(error)
            }
        }
    }
}
