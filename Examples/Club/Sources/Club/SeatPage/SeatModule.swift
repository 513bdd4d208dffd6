import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneRemote

struct SeatBoard: Board {
    let slot: Slot<SeatPage>
    let module: SeatModule

    func activate(with id: Meeting.ID) {
        let model = SeatModel(
            id: id,
            seat: Loader(store: module.seats, for: { .seat(at: $0) }, from: module.account.controller),
            onTake: { send(id) },
            signOut: { Task { try await module.signOut() } }
        )
        pair(with: module.navigator.push(.seat(model)))
    }
}

struct SeatModule: BoardModule {
    let account: UserAccount<Member>
    let seats: RecordStore<Meeting.ID, Seat>
    let navigator: Navigator<ClubScreen>
    let signOut: () async throws -> Void

    func register(on motherboard: Motherboard) {
        account.own(seats)
        motherboard.register(reuse: .perActivation) { slot in SeatBoard(slot: slot, module: self) }
    }
}
