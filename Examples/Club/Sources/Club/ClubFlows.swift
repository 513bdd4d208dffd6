import Backplane

struct ClubFlows: BoardModule {
    func register(on motherboard: Motherboard) {
        motherboard.registerFlowSteps(MeetingList.id ->>> MeetingPage.id ->>> SeatPage.id)
        motherboard.registerFlow(from: SeatPage.id) { meeting, motherboard in
            motherboard.send(.mark(meeting), to: MeetingList.id)
        }
    }
}
