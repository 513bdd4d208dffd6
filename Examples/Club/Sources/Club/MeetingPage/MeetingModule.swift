import Backplane
import BackplaneNavigation

struct MeetingBoard: Board {
    let slot: Slot<MeetingPage>
    let module: MeetingModule

    func activate(with id: Meeting.ID) {
        let model = MeetingModel(id: id, load: module.load, takeSeat: { send(id) })
        pair(with: module.navigator.push(.meeting(model)))
    }
}

struct MeetingModule: BoardModule {
    let navigator: Navigator<ClubScreen>
    let load: (Meeting.ID) async throws -> Meeting

    func register(on motherboard: Motherboard) {
        motherboard.register(reuse: .perActivation) { slot in MeetingBoard(slot: slot, module: self) }
        motherboard.registerLink("meeting/{id}", to: MeetingPage.id)
    }
}
