import Backplane
import CampusModels
import LoginInterface
import Screens

/// Answers at once when somebody is logged in, and otherwise shows the form until somebody is.
///
/// It holds its component, the screen, until that has served its purpose.
final class LoginBoard: Board {
    let slot: Slot<Login>
    private let navigation: Navigation
    private let currentUser: () async -> User.ID?
    private let performLogIn: (LoginRequest) async throws -> User.ID
    private var screen: LoginScreen?

    init(
        slot: Slot<Login>,
        navigation: Navigation,
        currentUser: @escaping () async -> User.ID?,
        logIn: @escaping (LoginRequest) async throws -> User.ID
    ) {
        self.slot = slot
        self.navigation = navigation
        self.currentUser = currentUser
        performLogIn = logIn
    }

    func activate(with input: Void) {
        task {
            if let user = await self.currentUser() {
                self.finish(with: user)
            } else {
                self.showForm()
            }
        }
    }

    private func showForm() {
        guard screen == nil else { return }
        let screen = LoginScreen(delegate: self)
        self.screen = screen
        let slot = slot
        navigation.push(screen, onLeave: { slot.complete(.cancelled) })
    }

    private func finish(with user: User.ID) {
        send(user)
        complete()
        if let screen { navigation.dismiss(screen) }
        screen = nil
    }
}

extension LoginBoard: LoginDelegate {
    func logIn(with request: LoginRequest) {
        task {
            do {
                self.finish(with: try await self.performLogIn(request))
            } catch {
                self.screen?.show(error)
            }
        }
    }
}
