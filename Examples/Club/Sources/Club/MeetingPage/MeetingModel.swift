import BackplaneFeatures

final class MeetingModel {
    let takeSeat: () -> Void
    private let meeting: Loader<Meeting.ID, Meeting>

    init(id: Meeting.ID, load: @escaping (Meeting.ID) async throws -> Meeting, takeSeat: @escaping () -> Void) {
        self.takeSeat = takeSeat
        meeting = Loader(load)
        meeting.load(id)
    }

    var state: LoadState<Meeting> { meeting.state }
    func retry() { meeting.retry() }
}
