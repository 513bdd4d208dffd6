import BackplaneFeatures

final class SeatModel {
    let signOut: () -> Void
    private let seat: Loader<Meeting.ID, Seat>
    private let onTake: () -> Void

    init(
        id: Meeting.ID,
        seat: Loader<Meeting.ID, Seat>,
        onTake: @escaping () -> Void,
        signOut: @escaping () -> Void
    ) {
        self.seat = seat
        self.onTake = onTake
        self.signOut = signOut
        seat.load(id)
    }

    var state: LoadState<Seat> { seat.state }

    /// Whether the server has not responded yet.
    var isPending: Bool { seat.pending.contains { $0.status != .failed } }

    /// Whether the seats that are not confirmed are in the file.
    var isSaved: Bool { seat.pending.contains { $0.isSaved } }

    var refusal: String? { failure.map { $0.error?.reason ?? "The seat was not taken. Try again." } }

    private var failure: PendingMutation? { seat.pending.first { $0.status == .failed } }

    func retry() { seat.retry() }

    func take(guests: Int) {
        if let failure { seat.dismiss(failure.id) }
        _ = try? seat.enqueue(TakeSeat(guests: guests))  // throws only before `load`
        onTake()
    }
}
