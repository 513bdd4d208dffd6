import Backplane
import BackplaneNavigation
import BackplaneRemote

/// The scope of the members: everything inside has an account.
nonisolated enum Members: BoardContract { typealias Input = UserAccount<Member> }

/// The gate: whether the user accepts the rules of the house.
nonisolated enum HouseRules: BoardContract { typealias Output = Bool }

final class MembersBoard: Board {
    let slot: Slot<Members>

    init(slot: Slot<Members>, feature: any BoardModule) {
        self.slot = slot
        inner.install(feature)
    }

    func activate(with account: UserAccount<Member>) {
        task {
            if await account.ended() != nil { self.complete() }
        }
    }
}

struct MembersModule: BoardModule {
    let navigator: Navigator<ClubScreen>
    let signIn: (String, String) async throws -> UserAccount<Member>
    let feature: (UserAccount<Member>) -> any BoardModule

    func register(on motherboard: Motherboard) {
        motherboard.register { slot in
            let model = SignInModel(slot: slot, request: signIn)
            return SignInBoard(slot: slot, form: navigator.push(.signIn(model)))
        }
        motherboard.register { slot, account in MembersBoard(slot: slot, feature: feature(account)) }
        motherboard.registerScope(Members.id, enteredBy: SignIn.id) { account in account }
        motherboard.declare(SeatPage.id, inside: Members.id)
        motherboard.registerLink("seat/{meeting}", to: SeatPage.id)

        motherboard.registerTask(HouseRules.id) { _, _ in
            try await navigator.ask(
                Dialog("Do you promise to read the book?", choices: [.init("Yes", true), .init("No", false)])
            )
        }
        motherboard.gate(SeatPage.id, by: HouseRules.id) { accepted in accepted ? .open : .closed }
    }
}
