import Backplane
import BackplaneFeatures
import BackplaneNavigation
import LoginInterface
import Screens
import SettingsInterface
import SettingsModels

/// A board that builds the component of the settings; both end together with its place.
///
/// The component knows the board as its delegate. The board reaches the component through a bus,
/// which keeps nothing alive.
final class SettingsBoard: Board {
    let slot: Slot<Settings>
    private let module: SettingsModule
    private let bus: Bus<Settings.Command>

    init(slot: Slot<Settings>, module: SettingsModule) {
        self.slot = slot
        self.module = module
        bus = Bus(for: slot)
    }

    func activate(with input: Void) {
        let interactor = SettingsInteractor(
            actions: module.actions,
            users: module.users,
            performer: ActionPerformer(startTask: slot.task),
            delegate: self
        )
        interactor.user.load(on: slot.owner)
        interactor.sessions.load(on: slot.owner)
        connect(interactor)
        pair(with: module.navigator.push(SettingsModel(interactor)))
    }

    private func connect(_ controller: some SettingsControllable) {
        bus.connect(controller) { controller, command in
            switch command {
            case .stay: controller.stay()
            }
        }
    }

    func receive(_ command: Settings.Command) {
        bus.send(command)
    }
}

extension SettingsBoard: SettingsDelegate {
    func signOut() {
        sendAction(SessionAction.signOut)
    }
}
