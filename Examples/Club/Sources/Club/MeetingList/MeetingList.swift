import Backplane
import BackplaneFeatures
import BackplaneNavigation
import Observation

/// The list of all meetings, which sends the picked one.
nonisolated enum MeetingList: BoardContract {
    typealias Output = Meeting.ID
    enum Command: Equatable { case mark(Meeting.ID) }
}

@Observable final class MeetingListModel {
    /// The meetings at which the user has asked for a seat.
    fileprivate(set) var marked: Set<Meeting.ID> = []
    @ObservationIgnored let pick: (Meeting.ID) -> Void
    private let meetings: Loader<NoID, [Meeting]>

    init(load: @escaping () async throws -> [Meeting], pick: @escaping (Meeting.ID) -> Void) {
        self.pick = pick
        meetings = Loader(load)
        meetings.load()
    }

    var state: LoadState<[Meeting]> { meetings.state }

    func retry() { meetings.retry() }
}

final class MeetingListBoard: Board {
    let slot: Slot<MeetingList>
    private let module: MeetingListModule
    private var model: MeetingListModel?

    init(slot: Slot<MeetingList>, module: MeetingListModule) {
        self.slot = slot
        self.module = module
    }

    func activate(with input: Void) {
        let model = MeetingListModel(load: module.load, pick: { [slot] id in slot.send(id) })
        self.model = model
        pair(with: module.navigator.setRoot(.meetings(model)))
    }

    func receive(_ command: MeetingList.Command) {
        switch command {
        case .mark(let id): model?.marked.insert(id)
        }
    }
}

struct MeetingListModule: BoardModule {
    let navigator: Navigator<ClubScreen>
    let load: () async throws -> [Meeting]

    func register(on motherboard: Motherboard) {
        motherboard.register { slot in MeetingListBoard(slot: slot, module: self) }
    }
}
