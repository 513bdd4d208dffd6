import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneNetworking
import BackplaneRemote
import Observation

nonisolated struct Member: Codable, Identifiable, Sendable {
    let id: String
    let name: String
}

/// The sign-in, whose output is the signed-in member.
nonisolated enum SignIn: BoardContract { typealias Output = UserAccount<Member> }

@Observable final class SignInModel {
    var name = ""
    var password = ""
    @ObservationIgnored private let slot: Slot<SignIn>
    @ObservationIgnored private let request: (String, String) async throws -> UserAccount<Member>
    private let performer: ActionPerformer

    init(slot: Slot<SignIn>, request: @escaping (String, String) async throws -> UserAccount<Member>) {
        self.slot = slot
        self.request = request
        performer = ActionPerformer { work in slot.task(lasting: .board, work) }
    }

    var isBusy: Bool { performer.isPerforming }

    var problem: String? {
        performer.error.map { ($0 as? NetworkError)?.reason ?? "The club cannot be reached. Try again." }
    }

    func signIn() {
        performer.perform(for: self) { model in
            model.slot.complete(sending: try await model.request(model.name, model.password))
        }
    }
}

struct SignInBoard: Board {
    let slot: Slot<SignIn>
    let form: Place<ClubScreen>

    func activate(with input: Void) { pair(with: form) }
}
